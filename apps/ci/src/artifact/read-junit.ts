import { StringDecoder } from 'node:string_decoder';
import { parser, type Tag } from 'sax';

export interface TestCase {
  name: string;
  classname: string;
  file: string | null;
  status: 'success' | 'failed' | 'error' | 'skipped';
  seconds: number;
  output: string | null;
}

/** Why there are no cases, for readers of the report. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport';
}

/** Limits of one report. */
export interface ReportBounds {
  bytes: number;
  cases: number;
}

const longestName = 1_000;
const longestOutput = 4_000;
const deepest = 100;

const ends: Record<string, TestCase['status']> = { failure: 'failed', error: 'error', skipped: 'skipped' };

/**
 * The cases of a report in JUnit's format, or of several concatenated ones, as runners send them. It is parsed as a
 * stream, up to the limits. Document types and entities are not read.
 * @throws UnreadableReport; errors of the bytes
 */
export async function readJunit(bytes: AsyncIterable<Buffer>, bounds: ReportBounds): Promise<TestCase[]> {
  const cases = new Cases(bounds.cases);
  const xml = parser(true);
  xml.onopentag = (tag) => cases.open(tag);
  xml.onclosetag = () => cases.close();
  xml.ontext = (text) => cases.text(text);
  xml.oncdata = (text) => cases.text(text);
  xml.onerror = ({ message }) => {
    throw new UnreadableReport(`JUnit XML parsing failed: ${message.split('\n', 1)[0]}`);
  };
  const decoder = new StringDecoder('utf8');
  let left = bounds.bytes;
  // One root for all, which excludes document types.
  xml.write('<reports>');
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) throw new UnreadableReport(`JUnit XML parsing failed: larger than ${bounds.bytes} bytes`);
    xml.write(decoder.write(chunk));
  }
  xml.write(`${decoder.end()}</reports>`);
  return cases.end();
}

/** Collects cases, with the current path of elements. */
class Cases {
  private readonly found: TestCase[] = [];
  private readonly path: string[] = [];
  private current: TestCase | undefined;
  private isOutput = false;
  private isOver = false;

  constructor(private readonly most: number) {}

  open({ name, attributes }: Tag): void {
    if (this.isOver) throw new UnreadableReport('JUnit XML parsing failed: it goes on behind its end');
    this.path.push(name);
    if (this.path.length > deepest) throw new UnreadableReport('JUnit XML parsing failed: nested too deep');
    if (name === 'testcase') this.begin(attributes);
    const status = Object.hasOwn(ends, name) ? ends[name] : undefined;
    const { message = '' } = attributes;
    if (!this.current || !status || this.path.at(-2) !== 'testcase') return;
    this.current.status = status;
    this.current.output = message.slice(0, longestOutput);
    this.isOutput = true;
  }

  private begin(attributes: Tag['attributes']): void {
    if (this.found.length >= this.most) {
      throw new UnreadableReport(`JUnit XML parsing failed: more than ${this.most} test cases`);
    }
    const { name = '', classname = '', file, time = '' } = attributes;
    const seconds = Number(time.replaceAll(',', ''));
    this.current = {
      name: name.slice(0, longestName),
      classname: classname.slice(0, longestName),
      file: file?.slice(0, longestName) ?? null,
      status: 'success',
      seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
      output: null,
    };
    this.found.push(this.current);
  }

  text(text: string): void {
    if (!this.current || !this.isOutput) return;
    const { output } = this.current;
    const rest = longestOutput - (output?.length ?? 0);
    if (rest > 0 && text.trim() !== '')
      this.current.output = output ? `${output}\n${text}`.slice(0, longestOutput) : text.slice(0, rest);
  }

  close(): void {
    const name = this.path.pop();
    if (name === 'testcase') this.current = undefined;
    if (this.path.at(-1) === 'testcase') this.isOutput = false;
    this.isOver = this.path.length === 0;
  }

  end(): TestCase[] {
    if (this.path.length > 0) throw new UnreadableReport('JUnit XML parsing failed: it ends too early');
    return this.found;
  }
}
