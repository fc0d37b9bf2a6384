import type { Security } from './security';

type Json = Record<string, unknown>;

/** Parts of an OpenAPI document that are read after it was built. */
export interface OpenApiDocument extends Json {
  tags: { name: string }[];
  'x-tagGroups': TagGroup[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: Record<string, Json>;
}

export interface TagGroup {
  name: string;
  tags: string[];
}

export interface DescribedOperation extends Json {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: DescribedParameter[];
  security?: Security;
}

export interface DescribedParameter extends Json {
  name: string;
  required: boolean;
}
