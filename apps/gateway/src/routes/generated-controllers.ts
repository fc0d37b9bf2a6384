import { BytesOutput, type Operation, operations, present, RawOutput, type Route } from '@moothall/contracts';
import { Controller, Req, RequestMapping, RequestMethod, Res, type Type, UseGuards } from '@nestjs/common';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessGuard } from '../access/access.guard';
import { CredentialGuard } from '../credentials/credential.guard';
import { RequestPipeline } from './request-pipeline';

export const apiPrefix = '/api/v4';

/** Path of a route on the server. */
export const pathOf = (route: Route): string => (route.isAtRoot ? route.path : `${apiPrefix}${route.path}`);

/**
 * All paths of a route. Paths that end in a fixed word may have a format suffix, of which there is one; in a path that
 * ends in a name, dots belong to the name. See docs/api/requests.md#8.
 */
export function pathsOf(route: Route, { output }: Operation): string[] {
  const path = pathOf(route);
  if (route.endsInPath) return [path.replace(/:\w+$/, '*')];
  const isBytes = output instanceof BytesOutput || output instanceof RawOutput;
  return isBytes || route.isAtRoot || /[:.]/.test(path.slice(path.lastIndexOf('/'))) ? [path] : [path, `${path}.json`];
}

/**
 * One Nest controller per service, with a handler for every route of its operations. They are ordinary Nest handlers:
 * guards, interceptors and filters apply to them, and the operation is in the route's configuration.
 */
export function generatedControllers(): Type[] {
  const first = firstChoices();
  const services = new Set(operations.map((operation) => operation.service));
  return [...services].map((service) =>
    controllerOf(
      service,
      operations.filter((operation) => operation.service === service && operation.routes.length > 0),
      first,
    ),
  );
}

/** The first operation of each path with a choice by parameter. */
function firstChoices(): Set<Operation> {
  const first = new Map<string, Operation>();
  for (const operation of operations) {
    const chosen = operation.routes.find(({ when }) => when);
    const shape = chosen && `${chosen.method} ${chosen.path}`;
    if (shape !== undefined && !first.has(shape)) first.set(shape, operation);
  }
  return new Set(first.values());
}

function controllerOf(service: string, owned: Operation[], first: ReadonlySet<Operation>): Type {
  @Controller()
  @UseGuards(CredentialGuard, AccessGuard)
  class GeneratedController {
    constructor(readonly pipeline: RequestPipeline) {}
  }
  Object.defineProperty(GeneratedController, 'name', { value: `${service}Controller` });
  for (const operation of owned) {
    operation.routes.forEach((route, index) => {
      const name = `${operation.name}#${index}`;
      addHandler(GeneratedController, name, operation, route);
      if (first.has(operation))
        addHandler(GeneratedController, `${name} otherwise`, operation, { ...route, when: undefined });
    });
  }
  return GeneratedController;
}

function addHandler(
  controller: Type<{ pipeline: RequestPipeline }>,
  name: string,
  operation: Operation,
  route: Route,
): void {
  const { prototype } = controller;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value: function handle(this: { pipeline: RequestPipeline }, request: FastifyRequest, reply: FastifyReply) {
      return this.pipeline.run(operation, route, request, reply);
    },
  });
  const descriptor = present(Object.getOwnPropertyDescriptor(prototype, name), name);
  Req()(prototype, name, 0);
  Res()(prototype, name, 1);
  RouteConfig({ operation })(prototype, name, descriptor);
  if (route.when) RouteConstraints({ [route.when.parameter]: route.when.value })(prototype, name, descriptor);
  RequestMapping({ path: pathsOf(route, operation), method: RequestMethod[route.method] })(prototype, name, descriptor);
}
