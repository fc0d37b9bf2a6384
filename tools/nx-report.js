/** Nx plugin: writes how each task of a run ended to the file that MOOTHALL_TASK_REPORT names; `npm test` counts them. */
const { writeFileSync } = require('node:fs');

const successes = ['success', 'local-cache', 'local-cache-kept-existing', 'remote-cache'];

function postTasksExecution(_options, { taskResults }) {
  const file = process.env.MOOTHALL_TASK_REPORT;
  if (!file) return;
  const succeeded = Object.values(taskResults).filter(({ status }) => successes.includes(status));
  writeFileSync(file, JSON.stringify(succeeded.map(({ task }) => task.id)));
}

module.exports = { name: 'moothall-report', postTasksExecution };
