import type { Security } from './security';

type Json = Record<string, unknown>;

/** What is read of an OpenAPI document after it was made. */
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
