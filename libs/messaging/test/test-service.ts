import type { Operation } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import type { INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LargeMessageStore, OperationErrorFilter, OperationServer, type OperationServerOptions } from '../src';

/** A server of some operations, instead of all of its service. */
class TestService extends OperationServer {
  constructor(options: OperationServerOptions, owned: Operation[]) {
    super(options);
    const { operations } = this as unknown as { operations: Map<string, Operation> };
    operations.clear();
    for (const operation of owned) operations.set(operation.name, operation);
  }
}

/** Answers operations with the controllers of a module. */
export async function startTestService(
  module: Type,
  options: OperationServerOptions,
  operations: Operation[],
): Promise<{ app: INestMicroservice; server: OperationServer }> {
  const server = new TestService(options, operations);
  const app = await NestFactory.createMicroservice(module, { strategy: server, logger: false });
  app.useGlobalFilters(new OperationErrorFilter());
  await app.listen();
  return { app, server };
}

/** The large messages of a sender, with its own data port. */
export async function openLargeMessageStore(): Promise<{
  largeMessages: LargeMessageStore;
  dataPort: DataPort;
  close(): Promise<void>;
}> {
  const signingKey = 'a ticket key of the tests, long enough';
  const dataPort = new DataPort({ host: '127.0.0.1', port: 0, signingKey }, (error) => {
    throw error;
  });
  const largeMessages = new LargeMessageStore(dataPort);
  await dataPort.listen();
  const close = async () => {
    await dataPort.close();
    await largeMessages.close();
  };
  return { largeMessages, dataPort, close };
}
