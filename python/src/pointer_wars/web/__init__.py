"""A page in the browser that shows how two nodes of a graph are connected, on this computer alone.

`bfs-web GRAPH`, or `python -m pointer_wars.web GRAPH`, opens a graph and serves the page and its
API on 127.0.0.1. It needs starlette and uvicorn: `pip install '.[web]'`.
"""
