import { type GivenRules, readDeletionRules } from '../src/deletion-plan/deletion-rules';
import { concerns, type JudgedTag, planDeletion } from '../src/deletion-plan/plan-deletion';

const now = new Date('2026-03-14T09:26:53.000Z');
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const tag = (name: string, hours: number | null): JudgedTag => ({
  name,
  createdAt: hours === null ? null : ago(hours),
});
function plan(tags: readonly JudgedTag[], given: GivenRules): string[] {
  const rules = readDeletionRules(given);
  const concerned = tags.filter(({ name }) => concerns(rules, name));
  return planDeletion(concerned, rules, now).map(({ name }) => name);
}

// As many as a busy repository collects in years.
it('takes time linear in the number of tags', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => tag(`build-${index}-snapshot`, (index * 7919) % 100_003));
  const { user } = process.cpuUsage();
  const planned = plan(many, {
    name_regex_delete: '.*-snapshot',
    name_regex_keep: '.*000-.*',
    keep_n: 10,
    older_than: '1h',
  });
  expect(planned.length).toBeGreaterThan(99_000);
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(2);
});
