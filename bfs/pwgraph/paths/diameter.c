/*
 * diameter.c - the diameter and radius of a strong component; diameter.h has the idea.
 */
#include "diameter.h"
#include "base/pw_assert.h"
#include "bfs/engines/parts/large_block.h"
#include "bfs/search/search_limits.h"

enum way { FORWARDS, BACKWARDS, WAYS };

/* What is known of an eccentricity. Outside of the component low is GRAPH_NODE_NONE and high is 0,
 * which no bound changes. */
struct bounds {
    uint32_t low, high;
    uint32_t
        sum; /* of the known distances that it is the largest of; it may wrap: it only chooses */
};

enum step {
    STEP_FARTHEST,      /* a walk from the node with the highest bound forwards */
    STEP_FARTHEST_BACK, /* and backwards */
    STEP_NEAREST,       /* a walk from the node with the lowest bound, and back from its far end */
    STEP_BETWEEN,       /* both walks from the node that is central both ways */
    STEPS
};

struct finding {
    const struct graph *graph;
    struct walk *walk;
    struct search_limits limits;
    bool is_symmetric;             /* each edge goes both ways: one walk does for both */
    struct bounds (*bounds)[WAYS]; /* of each node */
    uint32_t *hops;                /* from the source of the first walk of a pair */
    uint32_t far_end;              /* of the last walk */
    uint32_t next[STEPS];          /* the node of each kind of step */
    uint64_t in_the_way;           /* bounds */
    struct diameter *found;
};

/* The walk's direction in which the other eccentricity is counted. */
static enum way other_way(const struct finding *finding, enum way way)
{
    return finding->is_symmetric || way == BACKWARDS ? FORWARDS : BACKWARDS;
}

static bool is_settled(const struct bounds *bounds)
{
    return bounds->low >= bounds->high;
}

/* True if each edge has its reverse. The mark of a node is the last one that leads to it. */
static bool find_symmetry(const struct graph *graph, uint32_t *marks)
{
    bool is_symmetric = true;
    for (uint32_t u = graph->first_node; u < graph->node_limit && is_symmetric; u++) {
        is_symmetric = graph->offsets[u + 1] == graph->in_offsets[u + 1];
    }
    for (uint32_t u = graph->first_node; u < graph->node_limit && is_symmetric; u++) {
        for (uint64_t i = graph->offsets[u]; i < graph->offsets[u + 1]; i++) {
            marks[graph->neighbours[i]] = u + 1;
        }
        for (uint64_t i = graph->in_offsets[u]; i < graph->in_offsets[u + 1]; i++) {
            is_symmetric &= marks[graph->in_neighbours[i]] == u + 1;
        }
    }
    return is_symmetric;
}

/* Nothing is known but the size of the component. Begin with the node of most out-neighbours. */
static void begin(struct finding *finding, const struct diameter_plan *plan)
{
    const struct graph *graph = finding->graph;
    uint32_t members = 0, start = GRAPH_NODE_NONE;
    for (uint32_t u = graph->first_node; u < graph->node_limit; u++) {
        if (plan->components[u] == plan->component) {
            members++;
            if (start == GRAPH_NODE_NONE ||
                graph_out_degree(graph, u) > graph_out_degree(graph, start)) {
                start = u;
            }
        }
    }
    pw_assert(start != GRAPH_NODE_NONE);
    const struct bounds member = {.low = members > 1, .high = members - 1};
    const struct bounds stranger = {.low = GRAPH_NODE_NONE, .high = 0};
    for (uint32_t u = 0; u < graph->node_limit; u++) {
        const bool is_member = u >= graph->first_node && plan->components[u] == plan->component;
        finding->bounds[u][FORWARDS] = finding->bounds[u][BACKWARDS] =
            is_member ? member : stranger;
    }
    finding->next[STEP_BETWEEN] = start;
    *finding->found = (struct diameter){.diameter_min = member.low,
                                        .diameter_max = member.high,
                                        .radius_min = member.low,
                                        .radius_max = member.high,
                                        .center = start,
                                        .from = GRAPH_NODE_NONE,
                                        .to = GRAPH_NODE_NONE};
}

/* Walks --------------------------------------------------------------------------------- */

/* The eccentricity of the walk's source, from the last level with a node of the component. */
static uint32_t eccentricity_of(struct finding *finding)
{
    const size_t *begins = walk_level_begins(finding->walk);
    const uint32_t *nodes = walk_nodes(finding->walk);
    size_t level = walk_level_count(finding->walk) - 1, last = begins[level + 1] - 1;
    while (finding->bounds[nodes[last]][FORWARDS].low == GRAPH_NODE_NONE) {
        last--; /* the source is of the component */
    }
    while (begins[level] > last) {
        level--;
    }
    finding->far_end = nodes[last];
    return (uint32_t)level;
}

/* Lower the upper bound of a node: another one, hops away, has the upper bound high. */
static void lower_to(struct bounds *bounds, uint32_t high, uint32_t hops)
{
    const uint64_t most = (uint64_t)high + hops;
    bounds->high = most < bounds->high ? (uint32_t)most : bounds->high;
}

static void raise_to(struct bounds *bounds, uint32_t low)
{
    bounds->low = low > bounds->low ? low : bounds->low;
}

/* Walk from a node, and narrow the bounds of all that it reaches. False if the walk ended early. */
static bool walk_from(struct finding *finding, uint32_t node, enum way way,
                      struct search_result *result)
{
    struct diameter *found = finding->found;
    const struct walk_plan plan = {.sources = &node,
                                   .source_count = 1,
                                   .is_backwards = way == BACKWARDS,
                                   .hops_max = SEARCH_HOPS_NONE,
                                   .limits = &finding->limits};
    walk_find(finding->walk, &plan, result);
    if (result->status != SEARCH_DONE) {
        return false;
    }
    found->walks++;
    const enum way other = other_way(finding, way);
    const uint32_t eccentricity = eccentricity_of(finding);
    const uint32_t high = finding->bounds[node][other].high;
    const size_t *begins = walk_level_begins(finding->walk);
    const uint32_t *nodes = walk_nodes(finding->walk);
    for (uint32_t hops = 0; hops <= eccentricity; hops++) {
        for (size_t i = begins[hops]; i < begins[hops + 1]; i++) {
            struct bounds *bounds = finding->bounds[nodes[i]];
            raise_to(&bounds[way], eccentricity - hops);
            raise_to(&bounds[other], hops);
            lower_to(&bounds[other], high, hops);
            bounds[other].sum += hops;
        }
    }
    struct bounds *own = &finding->bounds[node][way];
    own->low = own->high = eccentricity;
    if (eccentricity > found->diameter_min || found->from == GRAPH_NODE_NONE) {
        found->diameter_min = eccentricity;
        found->from = way == FORWARDS ? node : finding->far_end;
        found->to = way == FORWARDS ? finding->far_end : node;
    }
    return true;
}

/* Walk both ways. The first walk's distances give upper bounds once the second has its end. */
static void walk_both_ways(struct finding *finding, uint32_t node, struct search_result *result)
{
    if (!walk_from(finding, node, FORWARDS, result)) {
        return;
    }
    const enum way other = other_way(finding, FORWARDS);
    walk_write_hops(finding->walk, finding->hops);
    if (other == BACKWARDS && !walk_from(finding, node, BACKWARDS, result)) {
        return;
    }
    for (uint32_t u = finding->graph->first_node; u < finding->graph->node_limit; u++) {
        if (finding->hops[u] != SEARCH_HOPS_NONE) {
            lower_to(&finding->bounds[u][other], finding->bounds[node][other].high,
                     finding->hops[u]);
        }
    }
}

static void take_step(struct finding *finding, enum step step, struct search_result *result)
{
    const uint32_t node = finding->next[step];
    const enum way other = other_way(finding, FORWARDS);
    switch (step) {
    case STEP_NEAREST:
        if (walk_from(finding, node, FORWARDS, result) &&
            !is_settled(&finding->bounds[finding->far_end][other])) {
            walk_from(finding, finding->far_end, other, result);
        }
        break;
    case STEP_BETWEEN:
        walk_both_ways(finding, node, result);
        break;
    default:
        walk_from(finding, node, step == STEP_FARTHEST ? FORWARDS : other, result);
    }
}

/* Steps --------------------------------------------------------------------------------- */

/* The node that a kind of step is to be from, so far: its rank is the largest. */
struct choice {
    uint64_t rank;
    uint32_t node;
};

static void offer(struct choice *choice, uint32_t node, uint64_t bound, uint32_t sum)
{
    const uint64_t rank = (bound << 31) + (sum >> 1);
    if (choice->node == GRAPH_NODE_NONE || rank > choice->rank) {
        *choice = (struct choice){rank, node};
    }
}

/* Look at all bounds: what is known now, and which nodes are in the way. */
static void look(struct finding *finding)
{
    struct diameter *found = finding->found;
    struct choice choices[STEPS];
    uint64_t above[WAYS] = {0}, below = 0;
    uint32_t highest[WAYS] = {0}, lowest = GRAPH_NODE_NONE;
    for (size_t step = 0; step < STEPS; step++) {
        choices[step].node = GRAPH_NODE_NONE;
    }
    for (uint32_t u = finding->graph->first_node; u < finding->graph->node_limit; u++) {
        const struct bounds *both = finding->bounds[u];
        const struct bounds *forwards = &both[FORWARDS];
        if (forwards->low == GRAPH_NODE_NONE) {
            continue;
        }
        for (enum way way = FORWARDS; way < WAYS; way++) {
            highest[way] = both[way].high > highest[way] ? both[way].high : highest[way];
            if (both[way].high > found->diameter_min) {
                above[way]++;
                offer(&choices[way == FORWARDS ? STEP_FARTHEST : STEP_FARTHEST_BACK], u,
                      both[way].high, both[way].sum);
            }
        }
        if (forwards->high < found->radius_max) {
            found->radius_max = forwards->high;
            found->center = u;
        }
        lowest = forwards->low < lowest ? forwards->low : lowest;
        below += forwards->low < found->radius_max;
        if (!is_settled(forwards)) {
            offer(&choices[STEP_NEAREST], u, GRAPH_NODE_NONE - forwards->low, ~forwards->sum);
            offer(&choices[STEP_BETWEEN], u,
                  2 * (uint64_t)GRAPH_NODE_NONE - forwards->low - both[BACKWARDS].low,
                  ~(forwards->sum + both[BACKWARDS].sum));
        }
    }
    const enum way easier =
        !finding->is_symmetric && above[BACKWARDS] < above[FORWARDS] ? BACKWARDS : FORWARDS;
    found->radius_min = lowest;
    found->diameter_max = above[easier] > 0 ? highest[easier] : found->diameter_min;
    finding->in_the_way = above[easier] + below;
    if (found->radius_min == found->radius_max) {
        choices[STEP_NEAREST].node = GRAPH_NODE_NONE;
    }
    if (found->diameter_min == found->diameter_max) {
        choices[STEP_FARTHEST].node = choices[STEP_FARTHEST_BACK].node = GRAPH_NODE_NONE;
    }
    if (finding->is_symmetric) {
        choices[STEP_FARTHEST_BACK].node = GRAPH_NODE_NONE;
    }
    for (size_t step = 0; step < STEPS; step++) {
        finding->next[step] = choices[step].node;
    }
}

/* Take steps until the bounds meet, each of the kind that settled most bounds per walk when it was
 * last taken. A kind that settled few is tried again after a while. */
static void narrow(struct finding *finding, struct search_result *result)
{
    const struct diameter *found = finding->found;
    double gains[STEPS] = {1e18, 1e18, 1e18, 1e18}; /* bounds settled per walk */
    enum step step = STEP_BETWEEN;
    for (unsigned taken = 1; result->status == SEARCH_DONE; taken++) {
        const uint64_t before = finding->in_the_way;
        const uint32_t walks = found->walks;
        take_step(finding, step, result);
        look(finding);
        if (found->diameter_min == found->diameter_max && found->radius_min == found->radius_max) {
            return;
        }
        if (taken > 1 && found->walks > walks) {
            gains[step] = ((double)before - (double)finding->in_the_way) / (found->walks - walks);
        }
        step = STEPS;
        for (enum step other = 0; other < STEPS; other++) {
            gains[other] += 2.0 / taken;
            if (finding->next[other] != GRAPH_NODE_NONE &&
                (step == STEPS || gains[other] > gains[step])) {
                step = other;
            }
        }
        if (step == STEPS) {
            return; /* the two adjacencies contradict each other */
        }
    }
}

void diameter_find(const struct graph *graph, const struct diameter_plan *plan, uint32_t *least,
                   struct diameter *found, struct search_result *result)
{
    const size_t nodes = (size_t)graph->node_limit;
    struct search_clock clock;
    search_start(&clock, plan->limits, result);
    struct finding finding = {.graph = graph,
                              .walk = plan->walk,
                              .limits = search_limits_of_part(&clock),
                              .bounds = large_block_create(nodes * sizeof(*finding.bounds)),
                              .hops = large_block_create(nodes * sizeof(*finding.hops)),
                              .found = found};
    result->status = SEARCH_NO_MEMORY;
    if (finding.bounds != NULL && finding.hops != NULL) {
        result->status = SEARCH_DONE;
        finding.is_symmetric = find_symmetry(graph, finding.hops);
        begin(&finding, plan);
        narrow(&finding, result);
        for (uint32_t u = 0; least != NULL && u < graph->node_limit; u++) {
            least[u] = finding.bounds[u][FORWARDS].low;
        }
    }
    large_block_free(finding.bounds);
    large_block_free(finding.hops);
    search_finish(&clock, result);
}
