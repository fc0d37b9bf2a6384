import { countTasks, describeTasks } from './task-status';

describe('check boxes in a description', () => {
  it('are counted, those that are done and all', () => {
    const tasks = countTasks('Before:\r\n- [x] one\r\n  * [ ] two\n1. [X] three\n\n\t+ [ ]\n-[ ] none\n- [y] none');
    expect(tasks).toEqual({ count: 4, completed_count: 2 });
    expect(describeTasks(tasks)).toBe('2 of 4 checklist items completed');
  });

  // A description of a million line breaks blocked all services for minutes.
  it.each(['\n', '\r', ' ', '- \n', '1'])('are found in linear time: %j', (text) => {
    expect(countTasks(text.repeat(1_000_000 / text.length))).toEqual({ count: 0, completed_count: 0 });
  });
});
