# ladder.gp - the rungs as bars, from the CSV of bench-ladder:
#   gnuplot -e "csv='ladder.csv'; out='bfs/engines/ladder.svg'" perf/bench/ladder.gp
set terminal svg size 900,420 font "sans,12" background "white"
set output out
set datafile separator ","
set title "Seconds of processor time for all pairs, one thread (median of the rounds)"
set logscale x
set xrange [0.001:100]
set xlabel "seconds, logarithmic"
set format x "10^{%L}"
set grid xtics
set yrange [-0.6:*] reverse
set lmargin 26
set key off
set style fill solid 0.6 border -1
rungs = "< awk -F, '$1 == 2' ".csv
plot rungs using 7:0:(0.001):7:($0 - 0.35):($0 + 0.35):ytic(strcol(2)) with boxxyerror lc rgb "#4477aa", \
     rungs using 7:0:(sprintf("  %.4g s", $7)) with labels left
