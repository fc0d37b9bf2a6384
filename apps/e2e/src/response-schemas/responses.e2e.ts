import { hasPrograms } from '../registry/image-client';
import { Answers } from './answers';
import { askCi } from './ci-answers';
import { askCollaboration } from './collaboration-answers';
import { deviations } from './deviations';
import { askGeo } from './geo-answers';
import { askIdentity } from './identity-answers';
import { askProjects } from './projects-answers';
import { askRegistry } from './registry-answers';
import { askRepository } from './repository-answers';
import { type Difference, SchemaFolder } from './schema-folder';
import { askSecurity } from './security-answers';
import { undescribed } from './undescribed';

/* Real answers against the JSON schemas in the folder RESPONSE_SCHEMAS; jest.config.js skips this if it is not set. */

// Images need a registry and a client that pushes.
const hasImages = hasPrograms();
const folder = new SchemaFolder(process.env.RESPONSE_SCHEMAS!);
const compared = new Set<string>();
const met = new Set<string>();

const deviationOf = ({ schema, at, rule }: Difference) =>
  deviations.find((each) => each.rule === rule && each.schema.test(schema) && each.at.test(at));

it.each<[string, (answers: Answers) => Promise<void>]>([
  ['collaboration', askCollaboration],
  ['projects', askProjects],
  ['repository', askRepository],
  ['identity', askIdentity],
  ['ci', askCi],
  ['security', askSecurity],
  ['geo', askGeo],
  ...(hasImages ? [['registry', askRegistry] as [string, typeof askRegistry]] : []),
])('of %s match their schemas', async (_service, askAll) => {
  const answers = new Answers();
  await askAll(answers);
  const unexpected = new Map<string, string>();
  for (const { schema, request, body } of answers.all) {
    for (const part of folder.parts(schema)) compared.add(part);
    for (const difference of folder.differences(schema, body)) {
      const deviation = deviationOf(difference);
      if (deviation) met.add(deviation.because);
      else unexpected.set(Object.values(difference).join(' '), request);
    }
  }
  expect([...unexpected]).toEqual([]);
});

it('differ from them wherever a deviation is listed', () =>
  expect(deviations.filter(({ because }) => !met.has(because))).toEqual([]));

it('are compared with every schema, except those of features that do not exist', () =>
  expect(folder.names.filter((name) => !compared.has(name) && (hasImages || !name.startsWith('registry/')))).toEqual(
    undescribed,
  ));
