import { mentionsIn } from '../src/todos/mentions';

it('are found in linear time in long texts', () => {
  const start = process.cpuUsage();
  mentionsIn('@a '.repeat(300_000));
  mentionsIn(`@${'a-'.repeat(500_000)}`);
  mentionsIn('`'.repeat(900_000));
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});
