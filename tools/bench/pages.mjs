/** Pages for browsers, as a signed-in user, beside the mix of calls. PAGES_SECONDS sets the duration. */
import { requestOf, serverOf } from './mix.mjs';
import { calls, fillForMix } from './mix-calls.mjs';
import { milliseconds, planLoad, play } from './open-load.mjs';
import { signIn } from './sign-in.mjs';
import { api } from './stack.mjs';

const usual = { projects: 20, rate: 100, mixRate: 250, seconds: Number(process.env.PAGES_SECONDS ?? 60) };
const short = { projects: 2, rate: 20, mixRate: 30, seconds: 3 };

const page = (name, share, below) => ({ name, share, below });
const pages = [
  page('project', 15, ''),
  page('folder', 12, '/-/tree/main/src'),
  page('file', 12, '/-/blob/main/src/file-1.txt'),
  page('commits', 8, '/-/commits/main'),
  page('commit', 5, '/-/commit/main'),
  page('issues', 15, '/-/issues'),
  page('issue with 25 notes', 15, '/-/issues/1'),
  page('merge requests', 8, '/-/merge_requests'),
  page('merge request', 6, '/-/merge_requests/1'),
  page('changes of a merge request', 4, '/-/merge_requests/1/diffs'),
];

export async function measurePages(stack, { isShort }) {
  const { projects, rate, mixRate, seconds } = isShort ? short : usual;
  const ids = await fillForMix(stack, projects);
  const paths = new Map();
  for (const id of ids) paths.set(id, (await api(stack, 'GET', `/projects/${id}`)).path_with_namespace);
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip', cookie: await signIn(stack) };
  const server = serverOf(stack);
  const load = (each) =>
    play(stack.url, pages, planLoad(pages, each, seconds, ids), ({ below }, id) => ({
      ...{ method: 'GET', path: `/${paths.get(id)}${below}`, headers },
    }));
  const mix = () => play(stack.url, calls, planLoad(calls, mixRate, seconds, ids), (...of) => requestOf(server, ...of));
  const rowsOf = (what, { times, all, failed, refusal }) => [
    {
      figure: `${what}: p50, p90, p99`,
      value: `${milliseconds(all)} ms${failed ? `, ${failed} failed: ${refusal}` : ''}`,
    },
    ...pages.flatMap(({ name }, index) =>
      times[index].length === 0 ? [] : { figure: `${what}: ${name}`, value: `${milliseconds(times[index])} ms` },
    ),
  ];
  const alone = await load(rate);
  const [beside, ofMix] = await Promise.all([load(rate), mix()]);
  const [total, ...each] = rowsOf(`pages at ${rate}/s beside the mix at ${mixRate}/s`, beside);
  return [
    ...rowsOf(`pages at ${rate}/s for ${seconds} s`, alone),
    { ...total, goal: 'p90 under 50 ms, none failed' },
    ...each,
    {
      figure: `mix at ${mixRate}/s beside pages at ${rate}/s: p50, p90, p99`,
      value: `${milliseconds(ofMix.all)} ms${ofMix.failed ? `, ${ofMix.failed} failed: ${ofMix.refusal}` : ''}`,
    },
  ];
}
