/*
 * gml_entities.h - the characters that have a name in a text of GML.
 */
#pragma once

/* The code point of "eacute", or 0 if the name has no character. */
unsigned gml_entity_find(const char *name);
