import { z } from 'zod';
import { Access, del, errors, get, groupRef, id, onGroup, operation, page, post, time } from '../../operation';
import { issueLinkTypes } from '../issue/issue-link';
import { Epic } from './epic-view';

export const epicLinkErrors = errors('epic_link', {
  notFound: {
    status: 404,
    message: '404 Not found',
    means: 'The epic has no such link, or the caller may not see its target.',
  },
  noTarget: {
    status: 404,
    message: 'No matching epic found. Make sure that you are adding a valid epic URL.',
    means: 'The target does not exist, or the caller may not see it or is no reporter there.',
  },
  taken: {
    status: 409,
    message: 'Epic(s) already assigned',
    means: 'The two are linked, in this direction or the other.',
  },
  itself: {
    status: 422,
    message: 'Source epic cannot be related to itself',
    means: 'A link leads from one epic to another.',
  },
});

const linkType = z.enum(issueLinkTypes);

/** The other end of a link; the type is seen from the epic whose links are listed. See docs/api/epics.md#3. */
export const RelatedEpic = Epic.extend({
  related_epic_link_id: id,
  link_type: linkType,
  link_created_at: time,
  link_updated_at: time,
});
export type RelatedEpic = z.infer<typeof RelatedEpic>;

/** Both ends; the source blocks the target. */
export const EpicLink = z.object({ id, source_epic: Epic, target_epic: Epic, link_type: linkType });
export type EpicLink = z.infer<typeof EpicLink>;

const onEpic = { ...groupRef, epic_iid: id };
const tier = 'enterprise';

export const listRelatedEpics = operation({
  name: 'collaboration.epic-links.list',
  description: 'Oldest first, both directions; those to epics that the caller does not see are left out.',
  refusals: ['epic.not_found'],
  http: get('/groups/:id/epics/:epic_iid/related_epics'),
  access: onGroup({ anonymous: true }),
  tier,
  summary: 'Epics that an epic is linked to',
  input: z.object(onEpic),
  output: page(RelatedEpic),
});

export const createEpicLink = operation({
  name: 'collaboration.epic-links.create',
  description: 'For reporters of both groups.',
  refusals: ['epic.not_found', 'epic_link.no_target', 'epic_link.taken', 'epic_link.itself'],
  http: post('/groups/:id/epics/:epic_iid/related_epics'),
  access: onGroup({ level: Access.Reporter }),
  tier,
  summary: 'Link an epic to another',
  input: z.object({
    ...onEpic,
    target_group_id: z.string().describe('Id or path'),
    target_epic_iid: id.describe('Number of the other epic in its group'),
    link_type: linkType.default('relates_to'),
  }),
  output: EpicLink,
});

export const deleteEpicLink = operation({
  name: 'collaboration.epic-links.delete',
  description: 'For reporters of both groups.',
  refusals: ['epic.not_found', 'epic_link.not_found', 'common.forbidden'],
  http: del('/groups/:id/epics/:epic_iid/related_epics/:related_epic_link_id', { success: 200 }),
  access: onGroup({ level: Access.Reporter }),
  tier,
  summary: 'Remove a link, in both directions',
  input: z.object({ ...onEpic, related_epic_link_id: id }),
  output: EpicLink,
});
