import type { Milestone, ProjectRef, Release } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { Choices, DayField, TextArea, TextField } from '../../parts/form';
import { joined, readActiveMilestones, uniqueById } from '../../parts/planning-fields';
import type { Visit } from '../../visit/visits';

type Milestones = readonly Pick<Milestone, 'id' | 'title'>[];

/** Milestones that can be chosen, with those of the release; undefined if the visitor may not see milestones. */
export async function readMilestoneChoices(
  visit: Visit,
  project: ProjectRef,
  chosen: Milestones = [],
): Promise<Milestones | undefined> {
  const active = await readActiveMilestones(visit, project);
  return active && uniqueById([...chosen, ...active]);
}

/** The fields of a release that the form shows. @param plans whether they include its milestones */
export const releaseValues = (release: Release, plans: boolean): FieldValues => ({
  name: release.name,
  description: release.description ?? '',
  ...(plans && { milestones: titlesOf(release.milestones ?? []) }),
  released_at: release.released_at.slice(0, 10),
});

/** The same of a sent form, with all fields. */
export const sentRelease = (sent: SentForm): FieldValues => ({
  name: sent.text('name'),
  description: sent.text('description'),
  milestones: joined(sent.list('milestones')),
  released_at: sent.text('released_at'),
});

const titlesOf = (milestones: Milestones): string => joined(milestones.map(({ title }) => title));

interface FieldsProps {
  values?: FieldValues;
  /** Titles of its milestones. */
  chosen?: Milestones | undefined;
  milestones: Milestones | undefined;
}

/** The fields of a form for a release. */
export const ReleaseFields = ({ values = {}, chosen = [], milestones = [] }: FieldsProps) => (
  <>
    <TextField name="name" label="Name" hint="The name of the tag if it is empty." value={values.name} />
    <TextArea name="description" label="Description" hint="Markdown" value={values.description} rows={12} />
    {milestones.length > 0 && (
      <Choices
        name="milestones"
        label="Milestones"
        values={chosen.map(({ title }) => title)}
        options={milestones.map(({ title }) => ({ value: title, label: title }))}
      />
    )}
    <DayField
      name="released_at"
      label="Release date"
      hint="A later day makes it an upcoming release."
      value={values.released_at}
    />
  </>
);
