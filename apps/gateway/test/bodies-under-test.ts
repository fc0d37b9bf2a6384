import {
  authorizeJobArtifact,
  createProject,
  defaultApplicationSettings,
  readApplicationSettings,
  runnerJobErrors,
  uploadFile,
  uploadJobArtifact,
} from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { startGatewayUnderTest } from './gateway-under-test';

export const megabyte = 1024 ** 2;

export type BodiesUnderTest = Awaited<ReturnType<typeof startBodiesUnderTest>>;

/** The gateway with short timeouts and stub services that receive files. */
export async function startBodiesUnderTest() {
  /** What the stub services received. */
  const inputs: unknown[] = [];
  const gateway = await startGatewayUnderTest({
    BODY_LEAST_RATE: '1KB',
    BODY_RATE_SPAN: '1',
    ANSWER_IDLE_TIMEOUT: '2',
  });
  gateway.knowCaller('ann', callerNamed('ann'));
  gateway.knowProject(projectNamed('own', { id: 1, accessLevel: 40 }));
  gateway.knowProject(projectNamed('hidden', { id: 2, accessLevel: 0 }));
  gateway.stubs.respond(readApplicationSettings, () => ({
    ...defaultApplicationSettings,
    max_attachment_size: 1,
  }));
  gateway.stubs.respond(uploadFile, (input) => {
    inputs.push(input);
    return {} as never;
  });
  gateway.stubs.respond(authorizeJobArtifact, ({ id, token }) =>
    id === 7 && token === 'of job 7' ? { MaximumSize: megabyte } : runnerJobErrors.unknownToken(),
  );
  gateway.stubs.respond(uploadJobArtifact, (input) => {
    inputs.push(input);
    return {} as never;
  });
  gateway.stubs.respond(createProject, (input) => {
    inputs.push(input);
    return {} as never;
  });
  await gateway.stubs.received();
  return { gateway, inputs, stop: () => gateway.stop() };
}

export const head = (path: string, ...headers: string[]) => [`POST /api/v4${path} HTTP/1.1`, 'host: a', ...headers];
export const multipartHead = (path: string, ...headers: string[]) =>
  head(path, 'content-type: multipart/form-data; boundary=B', 'transfer-encoding: chunked', ...headers);
export const chunk = (text: string | Buffer) =>
  Buffer.concat([Buffer.from(`${text.length.toString(16)}\r\n`), Buffer.from(text), Buffer.from('\r\n')]);
export const filePart = (name: string) =>
  `--B\r\ncontent-disposition: form-data; name="${name}"; filename="x"\r\n\r\n${'x'.repeat(100)}`;
