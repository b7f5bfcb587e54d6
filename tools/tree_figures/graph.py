"""Cycles between the folders of a layer: which folders include each other, and the order in which fewest includes run upward."""

import collections
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def folder_edges(layer, sources):
    """Counts includes from folder to folder of a layer. `sources` maps the path of each file below the layer to its text; the files
    in the layer itself are one more folder, named like the layer."""
    edges = collections.Counter()
    for path, text in sources.items():
        for include in INCLUDE.findall(text):
            first, _, rest = include.partition("/")
            if first == layer and folder_of(layer, path) != folder_of(layer, rest):
                edges[folder_of(layer, path), folder_of(layer, rest)] += 1
    return edges


def folder_of(layer, path):
    return path.rpartition("/")[0] or layer


def components(edges):
    """Returns the strongly connected components of more than one folder."""
    folders = sorted({folder for edge in edges for folder in edge})
    reached = {folder: reachable(edges, folder) for folder in folders}
    found = {tuple(other for other in folders if other in reached[folder] and folder in reached[other])
             for folder in folders if folder in reached[folder]}
    return sorted(found)


def reachable(edges, start):
    found, open_ = set(), [start]
    while open_:
        folder = open_.pop()
        following = {to for source, to in edges if source == folder} - found
        found |= following
        open_ += following
    return found


def best_order(members, edges):
    """Returns the members from the lowest to the highest, so that fewest includes run upward (a minimum feedback arc set, by the
    dynamic programming over subsets of Lawler 1964); exact, for up to about 16 members."""
    count = len(members)
    includes = [[edges.get((low, high), 0) for high in members] for low in members]
    best = [(0, None)] + [None] * ((1 << count) - 1)
    for below in range(1 << count):
        for top in range(count):
            if below >> top & 1:
                continue
            upward = sum(includes[low][top] for low in range(count) if below >> low & 1)
            candidate = (best[below][0] + upward, top)
            above = below | 1 << top
            if best[above] is None or candidate[0] < best[above][0]:
                best[above] = candidate
    return order_of(members, best)


def order_of(members, best):
    result, subset = [], len(best) - 1
    while subset:
        top = best[subset][1]
        result.append(members[top])
        subset ^= 1 << top
    return result[::-1]


def upward_edges(order, edges):
    """Returns the includes of a folder by one that stands below it in the order."""
    position = {folder: at for at, folder in enumerate(order)}
    return {edge: count for edge, count in sorted(edges.items())
            if all(folder in position for folder in edge) and position[edge[0]] < position[edge[1]]}


def edges_within(members, edges):
    return sum(count for edge, count in edges.items() if set(edge) <= set(members))
