import { z } from 'zod';
import { commaList, errors, id, operation, put, signedIn } from '../../operation';
import { Suggestion } from '../noteable/note';
import { prose } from '../prose/prose';

export const suggestionErrors = errors('suggestion', {
  notFound: {
    status: 404,
    message: 'Suggestion is not applicable as the suggestion was not found.',
    means: 'No such suggestion, or none that the caller may see.',
  },
  someNotFound: {
    status: 404,
    message: 'Suggestions are not applicable as one or more suggestions were not found.',
    means: 'One of them is not there, or not for the caller to see.',
  },
  notApplicable: {
    status: 400,
    message: "Can't apply this suggestion.",
    means: 'It is applied already, the lines are others now, or the merge request is not open; the message says which.',
  },
});

/** Limit of suggestions in one request. */
export const mostAppliedSuggestions = 100;

const messageLimit = 1_000_000;
const message = prose(messageLimit).optional();
const refusals = [
  'suggestion.not_applicable',
  'protection.push_refused',
  'project.archived',
  'common.forbidden without the right to push to the source',
];
const common = { access: signedIn(), timeoutSeconds: 60 };

export const applySuggestion = operation({
  ...common,
  name: 'collaboration.suggestions.apply',
  description: "Commits it to the source branch, in the caller's name.",
  refusals: ['suggestion.not_found', ...refusals],
  http: put('/suggestions/:id/apply'),
  summary: 'Put the suggested lines in place of those that they are for',
  input: z.object({
    id: id.describe('Id of the suggestion'),
    commit_message: message.describe('Default: `suggestion_commit_message` of the project'),
  }),
  output: Suggestion,
});

export const applySuggestions = operation({
  ...common,
  name: 'collaboration.suggestions.apply-all',
  description: 'All of them or none, in one commit. They are for one branch, and none for lines of another.',
  refusals: ['suggestion.some_not_found', ...refusals],
  http: put('/suggestions/batch_apply'),
  summary: 'Apply several suggestions in one commit',
  input: z.object({
    ids: commaList(id, mostAppliedSuggestions).min(1).describe('Ids of the suggestions'),
    commit_message: message.describe('As with a single one'),
  }),
  output: z.array(Suggestion),
});
