import type { OpenApiDocument, TagGroup } from './document';

type Json = Record<string, unknown>;

/** The document of one area: its operations and the components that they refer to. */
export function areaDocument(document: OpenApiDocument, group: TagGroup): Json {
  const isInside = ({ tags }: { tags: string[] }) => tags.some((tag) => group.tags.includes(tag));
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const inside = Object.entries(methods)
        .filter(([, operation]) => isInside(operation))
        .map(([method, { security, ...operation }]) => [method, { ...operation, ...takesNothing(security) }]);
      return inside.length > 0 ? [[path, Object.fromEntries(inside)]] : [];
    }),
  );
  const { securitySchemes } = document.components;
  return {
    ...document,
    tags: document.tags.filter(({ name }) => group.tags.includes(name)),
    'x-tagGroups': [group],
    paths,
    components: { ...referredTo(paths, document.components), securitySchemes },
  };
}

/** Operations with an optional token are shown as if it were required, so code samples contain it. */
const takesNothing = (security: unknown): Json =>
  Array.isArray(security) && security.length === 1 ? { security } : {};

const reference = /"\$ref":"#\/components\/([^/"]+)\/([^"]+)"/g;

function referredTo(paths: Json, components: Record<string, Json>): Record<string, Json> {
  const found: Record<string, Json> = {};
  const follow = (value: unknown) => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(reference)) {
      if (found[kind]?.[name]) continue;
      const component = components[kind]?.[name];
      found[kind] = { ...found[kind], [name]: component };
      follow(component);
    }
  };
  follow(paths);
  return found;
}

/** An area or tag in the form for URLs. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
