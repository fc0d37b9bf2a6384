type Record = { [name: string]: unknown };

/**
 * Real records, by the segment of their path (`issues`, `notes`), collected from answers. Paths built from them lead
 * deep into the server.
 */
export class Records {
  private readonly byWord = new Map<string, Record[]>();

  /** Stores the records in an answer to that path. */
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

  /** Records that no list shows. */
  private learnBelow({ notes, suggestions }: Record): void {
    if (Array.isArray(notes)) this.learn('/notes', notes);
    if (Array.isArray(suggestions)) this.learn('/suggestions', suggestions);
  }

  /** Possible values of `:name` after that segment. */
  namesFor(word: string, name: string): unknown[] {
    const general = name.endsWith('iid') ? ['iid'] : ['id', 'name', 'slug', 'tag_name', 'key', 'title', 'username'];
    // A field with the parameter's name has its value: the key of an attribute, the group of a share.
    const keys = [name, ...(furtherNames[name] ?? []), ...general];
    return (this.byWord.get(word) ?? []).flatMap((record) => {
      const key = keys.find((one) => record[one] !== undefined && record[one] !== null);
      return key ? [record[key]] : [];
    });
  }
}

/** Field names of parameters whose name in answers differs. */
const furtherNames: { [name: string]: string[] } = {
  email: ['invite_email'],
  feature_flag_name: ['name'],
};

const wordsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
