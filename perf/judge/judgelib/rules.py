"""A rule: one promise, and whether the submission keeps it. One line of the card."""

PASSED, FAILED, NOT_JUDGED = "passed", "failed", "not judged"


class Rule:
    def __init__(self, name, group, promise):
        self.name = name
        self.group = group      # build, contract, memory or answers
        self.promise = promise
        self.status = NOT_JUDGED
        self.expected = None
        self.found = None
        self.program = None     # C that shows it
        self.is_earned = True   # whether "not judged" is no fault of the submission

    def passed(self, found=None):
        self.status, self.found = PASSED, found
        return self

    def failed(self, expected, found, program=None):
        self.status, self.expected, self.found, self.program = FAILED, expected, found, program
        return self

    def not_judged(self, why, is_fault=False):
        """is_fault: because of what the submission did before, so that it counts as failed."""
        self.status, self.found, self.is_earned = NOT_JUDGED, why, not is_fault
        return self

    def as_json(self):
        return {"name": self.name, "group": self.group, "promise": self.promise,
                "status": self.status, "expected": self.expected, "found": self.found,
                "program": self.program}
