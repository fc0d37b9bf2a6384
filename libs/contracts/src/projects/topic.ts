import { z } from 'zod';
import {
  administrator,
  anyone,
  avatarLimit,
  bytes,
  del,
  errors,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  put,
  someChangeOf,
  uploadedFile,
} from '../operation';

export const topicErrors = errors('topic', {
  notFound: { status: 404, message: '404 Topic Not Found', means: 'No such topic.' },
  taken: {
    status: 400,
    message: { name: ['has already been taken'] },
    means: 'Another topic has that name, in whatever case.',
  },
  same: {
    status: 400,
    message: 'The source topic and the target topic are identical.',
    means: 'A topic cannot be merged with itself.',
  },
});

/** The subject of projects. See docs/api/projects.md#7. */
const Topic = z.object({
  id,
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  total_projects_count: z.int(),
  avatar_url: z.string().nullable(),
});
export type Topic = z.infer<typeof Topic>;

const avatar = z.union([uploadedFile(avatarLimit), z.literal('')]).optional();
const name = z.string().trim().min(1).max(255);
const title = z.string().max(255);
const description = z.string().max(10_000);

export const listTopics = operation({
  name: 'projects.topics.list',
  summary: 'Topics, those of most projects first',
  http: get('/topics'),
  access: anyone(),
  input: z.object({
    search: z.string().max(255).optional().describe('Part of the name'),
    without_projects: z.boolean().default(false).describe('Only those that no project has'),
  }),
  output: page(Topic),
});

export const getTopic = operation({
  name: 'projects.topics.get',
  summary: 'One topic',
  refusals: ['topic.not_found'],
  http: get('/topics/:id'),
  access: anyone(),
  input: z.object({ id }),
  output: Topic,
});

export const createTopic = operation({
  name: 'projects.topics.create',
  summary: 'Create a topic',
  description: 'Topics that are set on a project are created automatically.',
  refusals: ['topic.taken', 'common.invalid_record for an avatar that is no picture'],
  http: post('/topics'),
  access: administrator(),
  input: z.object({
    name,
    title: title.optional().describe('The name, unless given'),
    description: description.nullish(),
    avatar,
  }),
  output: Topic,
});

export const updateTopic = operation({
  name: 'projects.topics.update',
  summary: 'Change a topic',
  description: 'With another name, its projects have that.',
  refusals: ['topic.not_found', 'topic.taken', 'common.invalid_record for an avatar that is no picture'],
  http: put('/topics/:id'),
  access: administrator(),
  input: z
    .object({
      id,
      name: name.optional(),
      title: title.nullish(),
      description: description.nullish(),
      avatar,
    })
    .refine(...someChangeOf('name', 'title', 'description', 'avatar')),
  output: Topic,
});

export const deleteTopic = operation({
  name: 'projects.topics.delete',
  summary: 'Delete a topic',
  description: 'Projects have it no longer.',
  refusals: ['topic.not_found'],
  http: del('/topics/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});

export const mergeTopics = operation({
  name: 'projects.topics.merge',
  summary: 'Merge a topic into another',
  description: 'Projects of the source topic get the target topic; the source topic is deleted.',
  refusals: ['topic.not_found', 'topic.same'],
  http: post('/topics/merge', { success: 200 }),
  access: administrator(),
  input: z.object({
    source_topic_id: id.describe('The source topic, which is deleted'),
    target_topic_id: id.describe('The topic that stays'),
  }),
  output: Topic,
});

export const getTopicAvatar = operation({
  name: 'projects.avatars.get-of-topic',
  summary: 'The picture of a topic',
  refusals: ['topic.not_found', 'common.not_found'],
  http: get('/uploads/-/system/projects/topic/avatar/:id/:filename', { atRoot: true }),
  access: anyone(),
  input: z.object({ id, filename: z.string() }),
  output: bytes('image/png'),
});
