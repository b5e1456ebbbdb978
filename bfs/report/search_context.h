/*
 * search_context.h - the report's context: program, machine, graph, allocator.
 */
#pragma once

#include "search_content.h"

void search_report_context(struct search_report *search_report);
