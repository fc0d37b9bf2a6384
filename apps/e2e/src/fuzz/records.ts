type Record = { [name: string]: unknown };

/**
 * Real records, by the word of the path under which they live (`issues`, `notes`): what answers showed. Paths made of
 * them lead deep into the server.
 */
export class Records {
  private readonly byWord = new Map<string, Record[]>();

  /** Remembers what an answer to that path shows. */
  learn(path: string, body: unknown): void {
    const word = wordsOf(path).at(-1);
    if (word === undefined) return;
    const known = this.byWord.get(word) ?? [];
    for (const item of [body].flat().slice(0, 5)) {
      if (typeof item !== 'object' || item === null) continue;
      known.push(item as Record);
      this.learnBelow(item as Record);
    }
    this.byWord.set(word, known.slice(-20));
  }

  /** What no list shows by itself. */
  private learnBelow({ notes, suggestions }: Record): void {
    if (Array.isArray(notes)) this.learn('/notes', notes);
    if (Array.isArray(suggestions)) this.learn('/suggestions', suggestions);
  }

  /** Values that could stand for `:name` below that word. */
  namesFor(word: string, name: string): unknown[] {
    const general = name.endsWith('iid') ? ['iid'] : ['id', 'name', 'slug', 'tag_name', 'key', 'title', 'username'];
    // What is called as the parameter is it: the key of an attribute, the group that something is shared with.
    const keys = [name, ...(furtherNames[name] ?? []), ...general];
    return (this.byWord.get(word) ?? []).flatMap((record) => {
      const key = keys.find((one) => record[one] !== undefined && record[one] !== null);
      return key ? [record[key]] : [];
    });
  }
}

/** What parameters are called in answers, where not as in paths. */
const furtherNames: { [name: string]: string[] } = {
  email: ['invite_email'],
  feature_flag_name: ['name'],
};

const wordsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
