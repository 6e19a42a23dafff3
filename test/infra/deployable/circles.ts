/** The circles in a graph, each as text: `a > b > a`. One a place where a walk comes back to where it was. */
export function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (node: string, way: readonly string[]): void => {
    if (way.includes(node)) found.push([...way.slice(way.indexOf(node)), node].join(' > '));
    if (way.includes(node) || done.has(node)) return;
    for (const next of edges.get(node) ?? []) walk(next, [...way, node]);
    done.add(node);
  };
  for (const node of edges.keys()) walk(node, []);
  return found;
}
