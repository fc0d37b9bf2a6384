import { Logger } from '@nestjs/common';
import { unattended } from './unattended';

it('logs failures of background work', async () => {
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  unattended('tidying up', Promise.reject(new Error('no room')));
  unattended('tidying up', Promise.resolve());
  await new Promise(setImmediate);
  expect(error.mock.calls).toEqual([[expect.stringMatching(/^tidying up: Error: no room\n/)]]);
});
