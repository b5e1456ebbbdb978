"""What NetworkX reads of the backend pointer_wars when it is imported itself.

Not part of pointer_wars, because importing that loads the C library: `import networkx` stays fast.
"""
from __future__ import annotations

from typing import Any, Dict

NOT_WEIGHTED = "Not with weights."
FUNCTIONS: Dict[str, str] = {
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": "The nodes of each dict are ordered by distance.",
    "all_shortest_paths": "Not with weights. The paths come in another order.",
    "ancestors": "",
    "average_shortest_path_length": "Not with weights, and by no other method.",
    "betweenness_centrality": NOT_WEIGHTED,
    "bfs_edges": "Not with sort_neighbors.",
    "bfs_layers": "",
    "bfs_predecessors": "Not with sort_neighbors.",
    "bfs_successors": "Not with sort_neighbors.",
    "bfs_tree": "Not with sort_neighbors. The tree is a networkx.DiGraph.",
    "bidirectional_shortest_path": "",
    "center": "Not with weights, given eccentricities or usebounds.",
    "closeness_centrality": NOT_WEIGHTED,
    "connected_components": "",
    "descendants": "",
    "descendants_at_distance": "",
    "diameter": "Not with weights, given eccentricities or usebounds.",
    "eccentricity": "Not with weights or given distances.",
    "harmonic_centrality": "Not with weights or sources.",
    "has_path": "",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "periphery": "Not with weights, given eccentricities or usebounds.",
    "radius": "Not with weights, given eccentricities or usebounds.",
    "shortest_path": NOT_WEIGHTED,
    "shortest_path_length": NOT_WEIGHTED,
    "single_source_shortest_path": "",
    "single_source_shortest_path_length": "The nodes are ordered by distance.",
    "single_target_shortest_path": "In a digraph, equally short paths may be others.",
    "single_target_shortest_path_length": "The nodes are ordered by distance.",
    "strongly_connected_components": "They come in another order.",
    "weakly_connected_components": "",
}  #: what the backend offers, and how it differs


def get_info() -> Dict[str, Any]:
    """The description of the backend, in the form of the entry point networkx.backend_info."""
    return {
        "backend_name": "pointer_wars",
        "project": "pointer-wars",
        "package": "pointer_wars",
        "short_summary": "Unweighted shortest paths, breadth-first searches, centralities and components, by a C library.",
        "functions": {name: {"additional_docs": text or "All arguments are supported."}
                      for name, text in FUNCTIONS.items()},
    }
