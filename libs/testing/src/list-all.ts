/** All items of a list, page by page. */
export async function listAll<T>(
  list: (page: { page: number; per_page: number }) => Promise<{ items: T[] }>,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = 1; ; page++) {
    const found = await list({ page, per_page: 100 });
    items.push(...found.items);
    if (found.items.length < 100) return items;
  }
}
