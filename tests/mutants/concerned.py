"""Which tests concern which folder, the quick ones first; the longest name that fits counts."""

CONCERNED = {
    "base": "test_base test_number test_specification test_options",
    "alloc": "test_specification test_fault test_slab test_slab_large test_pool "
             "test_foreign_allocators test_region_allocators test_linked_list test_node_allocator",
    "alloc/contract": "test_node_allocator test_check",
    "alloc/nodes": "test_slab test_slab_large test_pool test_region_allocators test_linked_list test_fault test_thread_hooks "
                   "test_specification test_node_allocator",
    "alloc/heaps": "test_place_table test_region_allocators test_block_heap "
                   "test_record_replay test_fault test_allocbench test_node_allocator",
    "alloc/wrappers": "test_fault test_record_replay test_specification "
                      "test_region_allocators test_node_allocator",
    "alloc/foreign": "test_foreign_allocators test_specification test_node_allocator",
    "liblist": "test_linked_list test_thread_hooks test_queue test_slab test_pool test_fault "
               "test_queue_more test_classic",
    "libqueue": "test_queue test_queue_more test_fault test_classic",
    "data/read": "test_pairs test_names test_graph_load test_format_readers test_graph_programs "
                 "test_formats fuzz_segments fuzz_graph_text fuzz_graph_metis "
                 "fuzz_graph_matrix_market fuzz_graph_dimacs fuzz_pairs test_graph_formats",
    "data/load": "test_graph_load test_snapshot test_cache test_pairs test_formats",
    "data/store": "test_snapshot test_snapshot_bytes test_cache test_blocks test_formats",
    "data/graph": "test_names test_graph_memory test_graph_load test_engines test_graph_formats",
    "data/reverse": "test_target_order test_edge_buckets test_graph_load test_format_readers "
                    "test_engines test_graph_formats",
    "wikipedia": "test_wikipedia test_wiki_templates test_fetch",
    "bfs/engines": "test_classic test_engines test_answers test_edited_snapshot test_queue_more "
                   "fuzz_engines_threads test_path",
    "bfs/search": "test_classic test_engines test_driver",
    "bfs/answers": "test_answers test_library_paths test_library_search test_blocks test_path",
    "bfs/pwgraph/paths": "test_answers test_library_paths test_library_search test_blocks test_path",
    "bfs/pwgraph": "test_library test_library_look test_library_make test_library_search "
                   "test_library_paths",
    "bfs/inputs": "test_inputs test_driver",
    "bfs/run": "test_run test_driver_report test_search_counters test_classic test_driver test_path",
    "bfs/report": "test_driver_report test_report_text test_report_fields test_driver",
    "bfs/comparison": "test_comparison test_driver_report test_study",
    "base/text": "test_report test_report_text",
    "base/report": "test_report test_compare test_bench_parts test_driver_report test_comparison",
    "base/compare": "test_compare test_comparison",
    "base/program": "test_options test_driver_report test_driver",
    "counters": "test_counters test_counter_turns test_doctor test_search_counters test_allocbench "
                "test_simulation",
    "perf/allocbench": "test_bench_parts test_allocbench allocbench_smoke test_options test_check",
    "perf/comparer": "test_bfs_compare test_study",
    "perf/traffic": "test_bench_parts test_allocbench allocbench_smoke",
    "perf/judge": "",  # test_judge_zoo takes minutes, and measures an optimised build
    "perf/bench": "test_builds test_study",
    "perf/studylib": "test_study test_experiments test_builds",
}
FOLDERS = ["liblist", "libqueue", "alloc", "bfs/engines", "data/read", "base", "counters",
           "perf"]  # without arguments

# What a script runs; a suite of C names its programs itself.
PROGRAMS = {
    "test_check": ["allocbench"], "allocbench_smoke": ["allocbench", "bfs", "held_alone"],
    "test_formats": ["bfs", "graph-convert", "graph-info"],
    "test_report_fields": ["bfs"], "test_experiments": ["allocbench"],
    "test_study": ["bfs", "allocbench", "bench-hand", "graph-convert", "graph-info",
                   "wikipedia-generate", "wikipedia-import"],
    "test_builds": ["bfs"],
    "test_wikipedia": ["wikipedia-generate", "wikipedia-import", "bfs", "graph-convert", "graph-info"],
    "test_wiki_templates": ["wikipedia-generate", "wikipedia-import", "bfs", "graph-convert", "graph-info"],
    "test_fetch": ["wikipedia-generate", "wikipedia-import", "bfs", "graph-convert", "graph-info"]}


def tests_of(path):
    """The names of the tests that a file concerns."""
    while path and path not in CONCERNED:
        path = path.rpartition("/")[0]
    return CONCERNED.get(path, "").split()
