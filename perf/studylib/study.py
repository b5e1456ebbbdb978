"""The measured runs of a study, asked for medians, differences and counters."""
import csv
import json

import model
from stats import Difference, figure_of, interval, median, noise_of


class Study:
    def __init__(self, options, configurations, baseline, again):
        self.options = options
        self.configurations = configurations  # without the second baseline
        self.baseline = baseline
        self.again = again                     # the baseline once more, for the noise
        self.stopped = ""

    @property
    def compared(self):
        return [c for c in self.configurations if c is not self.baseline]

    def values(self, configuration, key):
        """Of every round that has one; calls are counted once."""
        if key in configuration.calls:
            return [configuration.calls[key]]
        found = [model.run_values(report).get(key) for report in configuration.reports]
        return [value for value in found if value is not None]

    @property
    def noise(self):
        return self.noise_in("search_seconds")

    def noise_in(self, key):
        if self.again is None:
            return 0.0
        return noise_of(self.values(self.again, key), self.values(self.baseline, key),
                        self.options.confidence)

    def difference(self, configuration, key):
        return Difference(self.values(configuration, key), self.values(self.baseline, key),
                          self.noise_in(key), self.options.confidence)

    def chosen(self):
        """{number: why} of the searches with a table of their own: as asked for; else
        the longest that found its target, the longest that did not, and the one of some length in
        which the configurations differ the most. Long: as the baseline needs it."""
        available = model.search_values(self.baseline.reports[0])
        if self.options.chosen:
            return {n: "" for n in self.options.chosen if n in available}
        times = {n: self.search_times(self.baseline, n) for n in available}
        times = {n: median(values) for n, values in times.items() if values}
        whole = sum(times.values())
        found = {}
        for wanted, words in ((True, "found its target"), (False, "did not find its target")):
            own = [n for n in times if bool(available[n].get("found")) is wanted]
            if own:
                longest = max(own, key=lambda n: times[n])
                found[longest] = (f"The longest that {words}: {times[longest] / whole * 100:.0f} % "
                                  "of the time of all.")
        apart = {}
        for number in times:
            if number not in found and times[number] >= whole / 100:
                figures = [figure_of(self.search_times(c, number)) for c in self.configurations]
                middles = [figure.value for figure in figures if figure and figure.is_clear]
                apart[number] = max(middles) / min(middles) if middles and min(middles) > 0 else 1
        if self.compared and apart:
            most = max(apart, key=apart.get)
            found[most] = "The search in which the configurations differ the most."
        return dict(sorted(found.items()))

    def search_times(self, configuration, number):
        """Seconds of one search in every round."""
        times = []
        for report in configuration.reports:
            row = model.search_values(report).get(number)
            if row and row.get("seconds") is not None:
                times.append(row["seconds"])
        return times

    def counter_report(self, configuration):
        """The report whose counters speak for a configuration, and whether it is simulated."""
        if model.has_counters(configuration.reports[0]):
            return configuration.reports[-1], False
        if configuration.simulated is not None:
            return configuration.simulated, True
        return None, False

    def write_data(self, folder):
        """results.csv: a row per configuration, round and search; results.json: what the page says.
        """
        names = []
        for configuration in self.all():
            for report in configuration.reports:
                for row in report["searches"]:
                    names += [name for name in row if name not in names]
        with open(folder / "results.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["configuration", "round"] + names)
            for configuration in self.all():
                for number, report in enumerate(configuration.reports, 1):
                    for row in report["searches"]:
                        writer.writerow([configuration.label, number] + [
                            "" if row.get(name) is None else row[name] for name in names])
        with open(folder / "results.json", "w", encoding="utf-8") as file:
            json.dump(self.summary(), file, indent=1)
            file.write("\n")

    def all(self):
        return self.configurations + ([self.again] if self.again else [])

    def summary(self):
        found = {"schema": "pointer-wars-study/1", "baseline": self.baseline.label,
                 "rounds": len(self.baseline.reports), "stopped": self.stopped,
                 "noise": self.noise, "context": self.baseline.reports[0]["context"],
                 "configurations": []}
        for configuration in self.all():
            entry = {"label": configuration.label, "allocator": configuration.allocator,
                     "engine": configuration.engine, "metrics": {}}
            for metric in model.RUN + model.COUNTERS:
                values = self.values(configuration, metric.key)
                if not values:
                    entry["metrics"][metric.key] = None
                    continue
                figure = figure_of(values, self.options.confidence)  # one round has no interval
                own = {"values": values, "median": figure.value, "low": figure.low,
                       "high": figure.high, "confidence":
                       interval(values, self.options.confidence)[2] if figure.is_known else None}
                difference = self.difference(configuration, metric.key)
                if configuration is not self.baseline and difference.known:
                    single = difference.is_single
                    own["ratio"] = {"median": difference.ratio,
                                    "low": None if single else difference.low,
                                    "high": None if single else difference.high,
                                    "real": difference.is_real()}
                entry["metrics"][metric.key] = own
            if configuration.simulated is not None:
                entry["simulated"] = model.run_values(configuration.simulated)
            found["configurations"].append(entry)
        return found
