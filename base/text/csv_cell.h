/*
 * csv_cell.h - the cells of a line of CSV.
 */
#pragma once

/*
 * Cut the next cell off a line without its newline, and move *at to the one after it, or to NULL
 * after the last. The cell is unquoted in its place: "a, ""b""" is a, "b".
 */
char *csv_cell(char **at);
