/*
 * report_value.h - one value as text, CSV or JSON; private to the report.
 */
#ifndef PW_REPORT_VALUE_H
#define PW_REPORT_VALUE_H

#include "report.h"

#define REPORT_NUMBER_SIZE 64

/* A number in decimal digits; at most digits_max after the point, rounded half up. */
void report_number(char text[REPORT_NUMBER_SIZE], struct report_value value, unsigned digits_max);

/* How many bytes a text takes in a report that is text, its control characters escaped. */
size_t report_plain_length(const char *text);

/* A text in quotes, escaped; what is not UTF-8 becomes U+FFFD. */
void report_json_string(FILE *out, const char *text);

#endif
