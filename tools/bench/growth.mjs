/**
 * Lists, counts and searches of issues as there are more of them: asked with GROWTH, ten times as many, and a hundred times.
 * What a caller sees is about as much each time; only what lies beside it grows.
 */
import { Pool } from 'undici';
import { api } from './stack.mjs';

const first = Number(process.env.GROWTH ?? 1_000);
const sizes = [first, first * 10, first * 100];
const writers = 16;
const rounds = 15;
/** What answers as fast as the clock can tell is not held against itself. */
const leastMs = 3;

const words = ['engine', 'wheel', 'brake', 'lamp', 'mirror', 'pedal', 'chain', 'saddle', 'bell', 'frame'];

/** Every tenth has one label, every hundredth another; one in ten is closed. */
const issueOf = (at, milestone) => ({
  title: `The ${words[at % 10]} of number ${at}`,
  description: `It concerns the ${words[Math.floor(at / 10) % 10]}, and was seen on day ${at % 365}.`,
  labels: ['all', ...(at % 10 === 0 ? ['tenth'] : []), ...(at % 100 === 0 ? ['hundredth'] : [])].join(','),
  ...(at % 50 === 0 && { milestone_id: milestone }),
});

/** What is asked, by what it is called; each also says how many there are. */
const questions = {
  'page of issues': '/issues',
  'page 20 of issues': '/issues?page=20',
  'by the last change': '/issues?order_by=updated_at&sort=asc',
  'opened ones': '/issues?state=opened',
  'closed ones': '/issues?state=closed',
  'with a common label': '/issues?labels=tenth',
  'with a rare label': '/issues?labels=hundredth',
  'without a label': '/issues?not[labels]=tenth',
  'of a milestone': '/issues?milestone=one',
  'of an author': '/issues?author_username=root',
  'search, a common word': '/issues?search=engine',
  'search, one match': '/issues?search=number+77',
  'search within opened ones with a label': '/issues?search=wheel&labels=all&state=opened',
  statistics: '/issues_statistics',
  'statistics with a search': '/issues_statistics?search=engine',
  'statistics without a label': '/issues_statistics?not[labels]=tenth',
  'labels with counts': '/labels?with_counts=true',
  'issues of a milestone': '/milestones/MILESTONE/issues',
  'the first issue': '/issues/1',
  activities: '/events?target_type=issue',
};

async function write(stack, project, from, to, milestone) {
  const pool = new Pool(new URL(stack.url).origin, { connections: writers });
  let next = from;
  const work = async () => {
    for (let at = next++; at < to; at = next++) {
      const { statusCode, body } = await pool.request({
        path: `/api/v4/projects/${project}/issues`,
        method: 'POST',
        headers: { 'private-token': stack.token, 'content-type': 'application/json' },
        body: JSON.stringify(issueOf(at, milestone)),
      });
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`issue ${at}: ${statusCode} ${text}`);
      if (at % 10 === 9) {
        await api(stack, 'PUT', `/projects/${project}/issues/${JSON.parse(text).iid}`, { state_event: 'close' });
      }
    }
  };
  await Promise.all(Array.from({ length: writers }, work));
  await pool.close();
}

async function medianMs(stack, rest) {
  const ask = async () => {
    const began = performance.now();
    const response = await fetch(`${stack.url}/api/v4${rest}`, { headers: { 'private-token': stack.token } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${rest}: ${response.status}`);
    return performance.now() - began;
  };
  await ask();
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await ask());
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}

export async function measureGrowth(stack) {
  const { id } = await api(stack, 'POST', '/projects', { name: `growth-${Date.now()}` });
  const milestone = await api(stack, 'POST', `/projects/${id}/milestones`, { title: 'one' });
  const times = new Map(Object.keys(questions).map((name) => [name, []]));
  let there = 0;
  for (const size of sizes) {
    await write(stack, id, there, size, milestone.id);
    there = size;
    for (const [name, rest] of Object.entries(questions)) {
      const path = `/projects/${id}${rest.replace('MILESTONE', milestone.id)}`;
      times.get(name).push(await medianMs(stack, path));
    }
  }
  return [...times].map(([name, [least, middle, most]]) => ({
    figure: `${name}, of ${sizes.join(', ')} issues`,
    value: `${middle.toFixed(1)} ms, ${most.toFixed(1)} ms`,
    floor: `${least.toFixed(1)} ms`,
    ratio: Math.max(least, leastMs) / Math.max(most, leastMs),
    goal: 1 / 1.3,
  }));
}
