"""Which tests concern which folder, the quick ones first; the longest name that fits counts."""

CONCERNED = {
    "alloc": "test_specification test_fault test_slab test_slab_fronts test_slab_large test_pool test_thread_fronts "
             "test_foreign_allocators test_region_allocators test_linked_list test_node_allocator",
    "alloc/contract": "test_node_allocator test_check",
    "alloc/foreign": "test_foreign_allocators test_specification test_node_allocator",
    "alloc/heaps": "test_place_table test_region_allocators test_block_heap "
                   "test_record_replay test_fault test_allocbench test_node_allocator",
    "alloc/nodes": "test_slab test_slab_fronts test_slab_large test_pool test_thread_fronts test_region_allocators "
                   "test_linked_list test_fault test_threads test_specification test_node_allocator",
    "alloc/wrappers": "test_fault test_record_replay test_specification "
                      "test_region_allocators test_node_allocator",
    "base": "test_base test_number test_late_library test_report test_specification test_options "
            "test_graph_load",
    "base/program": "test_program_parts test_options test_driver_report test_driver test_base "
                    "test_snapshot test_convert",
    "base/report": "test_report test_compare test_bench_parts test_driver_report test_comparison",
    "base/text": "test_report test_report_text test_driver_report",
    "bfs": "test_driver test_driver_report test_path",
    "bfs/answers": "test_answers test_path test_answer_fields test_no_path test_without "
                   "test_blocks_program",
    "bfs/comparison": "test_comparison test_driver_report test_study",
    "bfs/engines": "test_classic test_engines test_lane_pass test_library_levels test_answers "
                   "test_edited_snapshot test_library_blocks test_queue_more fuzz_engines_threads test_path",
    "bfs/engines/examples": "test_level4",
    "bfs/inputs": "test_inputs test_driver",
    "bfs/options": "test_options test_driver test_driver_report test_path",
    "bfs/pwgraph": "test_library test_library_look test_library_make test_library_search test_library_paths "
                   "test_library_levels test_library_reach test_library_redirects test_library_blocks "
                   "test_edited_snapshot",
    "bfs/pwgraph/paths": "test_answers test_library_betweenness test_library_diameter test_library_paths "
                         "test_library_reach "
                         "test_library_search test_blocks test_path test_without",
    "bfs/report": "test_driver_report test_report_text test_report_fields test_path test_dot test_driver",
    "bfs/run": "test_run test_driver_report test_search_counters test_classic test_driver test_path",
    "bfs/search": "test_classic test_engines test_driver test_path",
    "bfs/simulation": "test_simulation test_search_counters",
    "counters": "test_counters test_doctor test_search_counters test_allocbench "
                "test_simulation",
    "data/decode": "test_format_readers test_graph_load test_wikipedia test_convert",
    "data/formats": "test_format_readers test_graph_formats test_graph_programs test_convert "
                    "fuzz_graph_graphml fuzz_graph_gml",
    "data/graph": "test_names test_graph_memory test_graph_load test_engines test_graph_formats "
                  "test_renumber test_graph_programs test_convert",
    "data/load": "test_graph_load test_snapshot test_cache test_pairs test_load_memory test_formats",
    "data/make": "test_generate test_sort_ids test_graph_load test_library_make test_graph_programs",
    "data/names": "test_names test_name_finder test_name_order test_library_look test_graph_load",
    "data/read": "test_pairs test_names test_graph_load test_format_readers test_graph_programs "
                 "test_formats fuzz_segments fuzz_graph_text fuzz_graph_metis "
                 "fuzz_graph_matrix_market fuzz_graph_dimacs fuzz_pairs test_graph_formats "
                 "test_csv",
    "data/table": "test_graph_tables test_table_kinds test_csv test_pairs test_names fuzz_graph_text "
                  "fuzz_pairs",
    "data/reverse": "test_target_order test_edge_buckets test_graph_load test_format_readers "
                    "test_engines test_graph_formats",
    "data/store": "test_snapshot_bytes test_snapshot test_cache test_blocks test_library_blocks "
                  "test_edited_snapshot test_formats test_mpi_load",
    "data/tools": "test_graph_programs test_convert test_generate",
    "liblist": "test_linked_list test_threads test_queue test_slab test_pool test_fault "
               "test_queue_more test_classic",
    "libqueue": "test_queue test_queue_more test_fault test_classic",
    "mpi": "test_mpi_search test_mpi_load",
    "perf/allocbench": "test_bench_parts test_allocbench allocbench_smoke test_options test_check",
    "judge": "test_judge_rest test_judge_own",  # test_judge_zoo takes minutes, and measures an optimised build
    "perf/challenge": "test_judge_own test_study",
    "perf/program": "test_recording test_record test_program",
    "perf/studylib": "test_study test_experiments",
    "perf/traffic": "test_bench_parts test_allocbench test_recording allocbench_smoke",
    "python": "test_python test_prompt test_networkx_backend test_web",
    "python/src/pointer_wars/web": "test_web test_python",
    "python/src/pointer_wars_networkx": "test_networkx_backend",
    "wikipedia": "test_title_table test_wikipedia test_wiki_templates test_fetch",
}
FOLDERS = ["liblist", "libqueue", "alloc", "base", "counters", "data", "bfs", "perf", "judge", "mpi", "python",
           "wikipedia"]  # without arguments

# What a script runs; a suite of C names its programs itself.
GRAPHS = ["bfs", "graph-convert", "graph-info"]
DUMPS = ["wikipedia-generate", "wikipedia-import", *GRAPHS]
REQUESTS = ["allocbench", "asks_malloc", "forbids"]
PROGRAMS = {
    "allocbench_smoke": ["allocbench", "bfs", "held_alone"],
    "test_blocks_program": ["bfs", "graph-convert", "graph-info"],
    "test_check": ["allocbench", "bfs"],
    "test_convert": GRAPHS,
    "test_dot": GRAPHS,
    "test_experiments": ["allocbench"],
    "test_fetch": DUMPS,
    "test_formats": GRAPHS,
    "test_answer_fields": DUMPS,
    "test_judge_own": ["pwgraph"],
    "test_judge_rest": ["pwgraph"],
    "test_level4": ["bfs", "graph-convert", "queue"],
    "test_mpi_load": ["bfs-mpi", *GRAPHS],
    "test_mpi_search": ["bfs-mpi", *GRAPHS],
    "test_networkx_backend": ["pwgraph"],
    "test_no_path": GRAPHS,
    "test_program": REQUESTS,
    "test_prompt": ["pwgraph", *GRAPHS],
    "test_python": ["pwgraph", *GRAPHS],
    "test_record": REQUESTS,
    "test_report_fields": ["bfs"],
    "test_study": ["allocbench", "own-queue", "own-queue_plain", "own-queue_lifo",
                   "own-queue_lifo_malloc", "own-queue_array", *GRAPHS],
    "test_web": ["pwgraph", *GRAPHS],
    "test_wiki_templates": DUMPS,
    "test_wikipedia": DUMPS,
    "test_without": ["bfs"]}


def tests_of(path):
    """The names of the tests that a file concerns."""
    while path and path not in CONCERNED:
        path = path.rpartition("/")[0]
    return CONCERNED.get(path, "").split()
