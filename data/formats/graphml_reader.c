/*
 * graphml_reader.c - GraphML, parsed by libexpat as it streams by.
 *
 * 1. <key> elements declare which <data> of a node is its label: attr.name "label", or else "name";
 *    yEd's <NodeLabel> counts as well.
 * 2. <node> and <edge> go into the table of nodes; a graph within a node is part of the graph.
 * 3. libexpat keeps a token until it has seen its end. So a tag has at most 1 MiB, and libexpat
 *    gets only the two ends of a comment.
 * 4. Refused with the line: hyperedges, a second graph, an edge to a node that is not declared, and
 *    entities of the file's own, which could grow without end.
 * Weights are ignored. Source: graphml.graphdrawing.org/specification.html
 */
#include "format_readers.h"
#include <string.h>

bool graphml_matches(const struct graph_head *head)
{
    return head->bytes[strspn(head->bytes, " \t\r\n")] == '<' &&
           (strstr(head->bytes, "<graphml") != NULL || strstr(head->bytes, ":graphml") != NULL);
}

#ifndef PW_HAVE_EXPAT

bool graphml_read(struct graph_reading *reading)
{
    return graph_fail(reading->error, reading->name,
                      "is GraphML, which this build cannot read: it was made without libexpat");
}

#else

#include "base/array_reserve.h"
#include "node_table.h"
#include "text_pull.h"
#include <expat.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#define DEPTH_MAX   64   /* graphs within nodes */
#define NESTING_MAX 1000 /* elements within elements */
#define KEY_SIZE    256

/* What the next byte belongs to. A declaration counts as a tag. */
enum markup { IN_TEXT, IN_TAG, IN_VALUE, IN_INSTRUCTION, IN_COMMENT, IN_CDATA };

struct place {
    enum markup markup;
    char quote;    /* ends the value */
    uint32_t last; /* bytes, the last one lowest */
    size_t bytes;  /* of the markup so far, values included; not of a text */
};

/* The possible labels of a node, from the worst to the best. */
enum label_kind { LABEL_NONE, LABEL_NAME, LABEL_YED, LABEL_LABEL };

struct graphml {
    struct graph_reading *reading;
    XML_Parser parser;
    struct place place;
    uint64_t lines_hidden; /* from the parser, in comments */
    uint64_t lines_inside; /* in the open comment */
    struct node_table nodes;
    char label_key[KEY_SIZE], name_key[KEY_SIZE];
    bool has_root, has_graph;
    unsigned nesting;           /* elements that are open */
    unsigned depth;             /* graphs that are open */
    uint64_t undirected;        /* bit i: edges of the graph at depth i have no direction */
    uint32_t node;              /* whose labels are read, or GRAPH_NODE_NONE */
    enum label_kind best;       /* the node's label so far */
    enum label_kind collecting; /* what the characters belong to */
    unsigned inside;            /* elements within the label that are open: yEd has them */
    char *text;                 /* the label being read, ended by a NUL */
    size_t used, capacity;
};

/* libexpat 2.9 has a function of 64 bits and deprecates the other. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define CURRENT_LINE XML_GetCurrentLineNumber64
#else
#define CURRENT_LINE XML_GetCurrentLineNumber
#endif

static unsigned long long line_of(const struct graphml *graphml)
{
    return CURRENT_LINE(graphml->parser) + graphml->lines_hidden;
}

/* End the parsing. If no error is set, what (a format with one quoted text) and text become it. */
static void stop(struct graphml *graphml, const char *what, const char *text)
{
    char quoted[GRAPH_QUOTE_SIZE] = "";
    if (text != NULL) {
        graph_quote(quoted, text, strlen(text));
    }
    graph_fail_line(graphml->reading->error, graphml->reading->name, line_of(graphml), "%s%s%s",
                    what, text != NULL ? ", found " : "", quoted);
    XML_StopParser(graphml->parser, XML_FALSE);
}

/* The value of an attribute, or NULL. */
static const char *attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

static bool is_text(const char *text, const char *wanted)
{
    return text != NULL && strcasecmp(text, wanted) == 0;
}

/* <key id="d0" for="node" attr.name="label" attr.type="string"/> */
static void read_key(struct graphml *graphml, const char **attributes)
{
    const char *id = attribute(attributes, "id");
    const char *domain = attribute(attributes, "for");
    const char *name = attribute(attributes, "attr.name");
    const char *type = attribute(attributes, "attr.type");
    bool is_number = type != NULL && !is_text(type, "string") && !is_text(type, "boolean");
    bool of_nodes = domain == NULL || is_text(domain, "node") || is_text(domain, "all");
    graphml->reading->has_weights |= is_text(domain, "edge") && name != NULL && is_number;
    if (id != NULL && of_nodes && is_text(name, "label")) {
        snprintf(graphml->label_key, KEY_SIZE, "%s", id);
    } else if (id != NULL && of_nodes && is_text(name, "name")) {
        snprintf(graphml->name_key, KEY_SIZE, "%s", id);
    }
}

static void read_graph(struct graphml *graphml, const char **attributes)
{
    const char *direction = attribute(attributes, "edgedefault");
    bool undirected = is_text(direction, "undirected");
    if (graphml->depth == 0 && graphml->has_graph) {
        stop(graphml, "a second graph; only one is read", NULL);
    } else if (!undirected && !is_text(direction, "directed")) {
        stop(graphml, "expected edgedefault=\"directed\" or \"undirected\"",
             direction != NULL ? direction : "");
    } else if (graphml->depth + 1 == DEPTH_MAX) {
        stop(graphml, "graphs within nodes are too deep", NULL);
    } else {
        graphml->has_graph = true;
        graphml->depth++;
        graphml->undirected &= ~(UINT64_C(1) << graphml->depth);
        graphml->undirected |= (uint64_t)undirected << graphml->depth;
    }
}

static void read_node(struct graphml *graphml, const char **attributes)
{
    const char *id = attribute(attributes, "id");
    graphml->best = LABEL_NONE;
    if (id == NULL) {
        stop(graphml, "expected a node with an id", NULL);
    } else if (!node_table_declare(&graphml->nodes, id, line_of(graphml), &graphml->node)) {
        stop(graphml, "", NULL);
    }
}

static void read_edge(struct graphml *graphml, const char **attributes)
{
    const char *from = attribute(attributes, "source"), *to = attribute(attributes, "target");
    const char *directed = attribute(attributes, "directed");
    bool both = graphml->undirected >> graphml->depth & 1;
    uint32_t source, target;
    if (directed != NULL && !is_text(directed, "true") && !is_text(directed, "false")) {
        stop(graphml, "expected directed=\"true\" or \"false\"", directed);
        return;
    }
    both = directed != NULL ? is_text(directed, "false") : both;
    if (from == NULL || to == NULL) {
        stop(graphml, "expected an edge with source and target", NULL);
    } else if (!node_table_refer(&graphml->nodes, from, line_of(graphml), &source) ||
               !node_table_refer(&graphml->nodes, to, line_of(graphml), &target) ||
               !graphml->reading->add(graphml->reading, source, target, both)) {
        stop(graphml, "out of memory", NULL);
    }
}

/* The kind of label that an element holds, if any. */
static enum label_kind label_of(const struct graphml *graphml, const char *element,
                                const char **attributes)
{
    const char *key = attribute(attributes, "key");
    if (graphml->node == GRAPH_NODE_NONE) {
        return LABEL_NONE;
    }
    if (strcmp(element, "NodeLabel") == 0) {
        return LABEL_YED;
    }
    if (strcmp(element, "data") != 0 || key == NULL) {
        return LABEL_NONE;
    }
    return strcmp(key, graphml->label_key) == 0  ? LABEL_LABEL
           : strcmp(key, graphml->name_key) == 0 ? LABEL_NAME
                                                 : LABEL_NONE;
}

/* The name of an element without its namespace. */
static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static void XMLCALL begin_element(void *context, const char *name, const char **attributes)
{
    struct graphml *graphml = context;
    const char *element = local_name(name);
    const enum label_kind kind = label_of(graphml, element, attributes);
    if (kind != LABEL_NONE || graphml->collecting == LABEL_NONE) {
        graphml->collecting = kind;
        graphml->used = graphml->inside = 0;
    } else {
        graphml->inside++;
    }
    if (graphml->nesting++ == NESTING_MAX) {
        stop(graphml, "elements within elements are too deep", NULL);
    } else if (!graphml->has_root && strcmp(element, "graphml") != 0) {
        stop(graphml, "expected the element graphml", name);
    }
    graphml->has_root = true;
    if (strcmp(element, "key") == 0) {
        read_key(graphml, attributes);
    } else if (strcmp(element, "graph") == 0) {
        graphml->node = GRAPH_NODE_NONE;
        read_graph(graphml, attributes);
    } else if (strcmp(element, "hyperedge") == 0) {
        stop(graphml, "a hyperedge, which joins any number of nodes, is not read", NULL);
    } else if (graphml->depth > 0 && strcmp(element, "node") == 0) {
        read_node(graphml, attributes);
    } else if (graphml->depth > 0 && strcmp(element, "edge") == 0) {
        graphml->node = GRAPH_NODE_NONE;
        read_edge(graphml, attributes);
    }
}

/* Take the text that was collected for the node's label, if it is the best so far. */
static void end_label(struct graphml *graphml)
{
    if (graphml->collecting > graphml->best && graphml->used > 0) {
        graphml->best = graphml->collecting;
        if (!node_table_label(&graphml->nodes, graphml->node, graphml->text)) {
            stop(graphml, "", NULL);
        }
    }
    graphml->collecting = LABEL_NONE;
}

static void XMLCALL end_element(void *context, const char *name)
{
    struct graphml *graphml = context;
    const char *element = local_name(name);
    if (graphml->inside > 0) {
        graphml->inside--;
    } else {
        end_label(graphml);
    }
    graphml->nesting--;
    if (strcmp(element, "node") == 0) {
        graphml->node = GRAPH_NODE_NONE;
    } else if (strcmp(element, "graph") == 0) {
        graphml->depth--;
    }
}

static void XMLCALL add_characters(void *context, const char *text, int length)
{
    struct graphml *graphml = context;
    size_t more = (size_t)length;
    if (graphml->collecting == LABEL_NONE || graphml->inside > 0) {
        return;
    }
    const bool fits = graphml->used + more <= TEXT_PULL_MAX;
    if (!fits || !array_reserve(&graphml->text, &graphml->capacity, graphml->used + more + 1, 1)) {
        stop(graphml, fits ? "out of memory" : "a text is longer than 1 MiB", NULL);
        return;
    }
    memcpy(graphml->text + graphml->used, text, more);
    graphml->used += more;
    graphml->text[graphml->used] = '\0';
}

static void XMLCALL refuse_entity(void *context, const XML_Char *name, int is_parameter,
                                  const XML_Char *value, int length, const XML_Char *base,
                                  const XML_Char *system, const XML_Char *public,
                                  const XML_Char *notation)
{
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public;
    (void)notation;
    stop(context, "expected a graph without entities of its own", name);
}

/* Follow the next byte of the text. */
static inline void follow(struct place *place, char byte)
{
    const uint32_t last = place->last << 8 | (unsigned char)byte;
    const size_t bytes = place->bytes + 1;
    enum markup markup = place->markup;
    place->last = last;
    place->bytes = bytes;
    switch (markup) {
    case IN_TEXT:
    case IN_TAG:
        if (byte == '<') {
            markup = IN_TAG;
            place->bytes = 1;
        } else if (markup == IN_TAG) {
            place->quote = byte;
            markup = byte == '>'                        ? IN_TEXT
                     : byte == '"' || byte == '\''      ? IN_VALUE
                     : bytes == 2 && byte == '?'        ? IN_INSTRUCTION
                     : bytes == 4 && last == 0x3c212d2d ? IN_COMMENT /* <!-- */
                     : bytes == 4 && last == 0x3c215b43 ? IN_CDATA   /* <![C */
                                                        : IN_TAG;
        }
        break;
    case IN_VALUE:
        markup = byte == place->quote ? IN_TAG : IN_VALUE;
        break;
    case IN_INSTRUCTION:
        markup = bytes > 3 && (last & 0xffff) == 0x3f3e ? IN_TEXT : markup; /* ?> */
        break;
    case IN_COMMENT:
        markup = bytes > 6 && (last & 0xffffff) == 0x2d2d3e ? IN_TEXT : markup; /* --> */
        break;
    case IN_CDATA:
        markup = (last & 0xffffff) == 0x5d5d3e ? IN_TEXT : markup; /* ]]> */
        break;
    }
    place->markup = markup;
}

/* The memory that libexpat takes in this thread; it keeps every name. */
static _Thread_local uint64_t expat_bytes;

static void *take_memory(void *old, size_t size)
{
    const size_t before = malloc_usable_size(old);
    void *memory = realloc(old, size);
    expat_bytes += memory != NULL ? malloc_usable_size(memory) - before : 0;
    return memory;
}

static void *take_new(size_t size)
{
    return take_memory(NULL, size);
}

static void give_memory(void *memory)
{
    expat_bytes -= malloc_usable_size(memory);
    free(memory);
}

/* Hand bytes on. False with error set. */
static bool feed(struct graphml *graphml, const char *text, size_t length, bool is_last)
{
    struct graph_reading *reading = graphml->reading;
    return XML_Parse(graphml->parser, text, (int)length, is_last) == XML_STATUS_OK ||
           graph_fail_line(reading->error, reading->name, line_of(graphml),
                           "not well-formed XML: %s",
                           XML_ErrorString(XML_GetErrorCode(graphml->parser)));
}

/* Hand on a piece of the text without the inside of comments. False with error set. */
static bool feed_piece(struct graphml *graphml, const char *text, size_t length)
{
    const char *begin = text;
    const char *const end = text + length;
    struct place place = graphml->place; /* in registers */
    bool fed = true;
    for (const char *at = text; at < end && fed; at++) {
        const enum markup before = place.markup;
        if (before == IN_TEXT && *at != '<') {
            continue;
        }
        follow(&place, *at);
        if (before == IN_COMMENT) {
            begin = at + 1;
            if (place.bytes > 6 &&
                (place.last >> 8 & 0xffff) == 0x2d2d) { /* the end, or an error */
                graphml->lines_hidden += graphml->lines_inside;
                graphml->lines_inside = 0;
                fed = feed(graphml, (const char[]){'-', '-', *at}, 3, false);
            }
            graphml->lines_inside += *at == '\n';
        } else if (place.markup == IN_COMMENT) {
            fed = feed(graphml, begin, (size_t)(at + 1 - begin), false);
            begin = at + 1;
        } else if (place.bytes > TEXT_PULL_MAX && before != IN_CDATA) {
            return feed(graphml, begin, (size_t)(at - begin), false) &&
                   graph_fail_line(graphml->reading->error, graphml->reading->name,
                                   line_of(graphml), "a tag is longer than 1 MiB");
        }
    }
    graphml->place = place;
    return fed && (begin == end || feed(graphml, begin, (size_t)(end - begin), false));
}

static bool parse(struct graphml *graphml)
{
    struct graph_reading *reading = graphml->reading;
    const char *text;
    size_t got;
    while ((got = reading->take(reading, &text)) > 0) {
        if (got == SIZE_MAX || !feed_piece(graphml, text, got)) {
            return false;
        }
        reading->kept = node_table_memory(&graphml->nodes) + expat_bytes;
    }
    return feed(graphml, "", 0, true) && node_table_finish(&graphml->nodes);
}

bool graphml_read(struct graph_reading *reading)
{
    struct graphml graphml = {.reading = reading, .node = GRAPH_NODE_NONE};
    bool done = node_table_init(&graphml.nodes, reading);
    const XML_Memory_Handling_Suite memory = {take_new, take_memory, give_memory};
    expat_bytes = 0;
    graphml.parser = done ? XML_ParserCreate_MM(NULL, &memory, NULL) : NULL;
    if (graphml.parser != NULL) {
        XML_SetUserData(graphml.parser, &graphml);
        XML_SetElementHandler(graphml.parser, begin_element, end_element);
        XML_SetCharacterDataHandler(graphml.parser, add_characters);
        XML_SetEntityDeclHandler(graphml.parser, refuse_entity);
        done = parse(&graphml);
        XML_ParserFree(graphml.parser);
    } else {
        done = graph_fail(reading->error, reading->name, "out of memory");
    }
    free(graphml.text);
    node_table_free(&graphml.nodes);
    return done;
}

#endif
