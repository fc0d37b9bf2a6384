import { deleteArtifacts, type getJob, keepArtifacts, type OutputOf, type ProjectRef } from '@moothall/contracts';
import type { Address, TakeForm } from '../../page/page';
import { Bytes } from '../../parts/bytes';
import { below } from '../../parts/code-address';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Action } from '../../parts/form';
import { numberIn } from '../../parts/number-in';
import { Day } from '../../parts/time';
import type { Visit } from '../../visit/visits';

interface Props {
  visit: Visit;
  project: ProjectRef;
  address: Address;
  job: OutputOf<typeof getJob>;
  /** What the visitor may do. */
  keeps: boolean;
  deletes: boolean;
}

/** The archive of a job, if it has one. */
export const JobArtifacts = ({ visit, project, address, job, keeps, deletes }: Props) => {
  const { artifacts_file: file, artifacts_expire_at: expires } = job;
  if (!file) return null;
  const path = below(project, `jobs/${job.id}/artifacts`);
  return (
    <>
      <h2>Artifacts</h2>
      <p>
        <a href={`${path}/browse`}>Browse</a> <a href={`${path}/download`}>Download</a>{' '}
        <span class="dim">
          <Bytes count={file.size} />
          {expires && (
            <>
              , deleted on <Day at={expires} />
            </>
          )}
        </span>
      </p>
      <div class="parts">
        {keeps && expires && <Action {...{ visit, address }} name="keep" word="Keep the artifacts" look="quiet" />}
        {deletes && (
          <ConfirmedAction
            {...{ visit, address }}
            name="delete-artifacts"
            word="Delete the artifacts"
            consequence="The log of the job stays."
          />
        )}
      </div>
    </>
  );
};

const ofJob =
  (operation: typeof keepArtifacts | typeof deleteArtifacts): TakeForm<ProjectRef> =>
  async (visit, project, address) => {
    const job_id = numberIn(address, 'id');
    await visit.ask(operation, { id: String(project.id), job_id });
    return below(project, `jobs/${job_id}`);
  };

export const artifactForms = { keep: ofJob(keepArtifacts), 'delete-artifacts': ofJob(deleteArtifacts) };
