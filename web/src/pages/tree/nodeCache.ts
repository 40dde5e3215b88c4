// Nodes seen lately, by line, so that walking back shows at once what was there. Bounded.
import type { TreeNode } from '../../data/types';

export class NodeCache {
  private readonly nodes = new Map<string, TreeNode>();
  constructor(private readonly limit = 200) {}

  get(line: readonly string[]): TreeNode | null {
    const key = line.join();
    const node = this.nodes.get(key);
    if (!node) return null;
    this.nodes.delete(key);
    this.nodes.set(key, node);
    return node;
  }

  put(line: readonly string[], node: TreeNode): void {
    const key = line.join();
    this.nodes.delete(key);
    this.nodes.set(key, node);
    if (this.nodes.size > this.limit) this.nodes.delete(this.nodes.keys().next().value!);
  }

  get size(): number {
    return this.nodes.size;
  }
}
