import { operations, type Route } from '@moothall/contracts';

type NamedRoute = Route & { name: string };

/** All routes, with the names of their operations. */
const routes: readonly NamedRoute[] = operations.flatMap(({ name, routes: own }) =>
  own.map((route) => ({ name, ...route })),
);

/**
 * The name of the operation of a request, as `GET /projects/:id`. Of the operations that a path may match, the one with
 * most fixed segments, selected by its query.
 */
export function operationNamed(text: string): string | undefined {
  const [method = '', path = '', query = ''] = text.split(/[ ?]/);
  const chosen = new URLSearchParams(query);
  const parts = path.split('/');
  const own = routes.filter((route) => {
    const words = route.path.split('/');
    const isLike = words.every((word, at) => word.startsWith(':') || word === parts[at]);
    const isChosen = route.when === undefined || chosen.get(route.when.parameter) === route.when.value;
    return route.method === method && words.length === parts.length && isLike && isChosen;
  });
  const namesOf = (route: NamedRoute) => route.path.split('/').filter((word) => word.startsWith(':')).length;
  return own.sort((one, other) => namesOf(one) - namesOf(other))[0]?.name;
}
