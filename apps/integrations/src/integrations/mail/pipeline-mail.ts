import type { PipelinePayload } from '../payload/payload';
import type { Words } from './push-mail';

export function pipelineMail({ project, user, commit, object_attributes: it }: PipelinePayload): Words {
  const place = `${project.namespace} / ${project.name}`;
  const verb = it.status === 'success' ? 'has passed' : 'has failed';
  return {
    subject: `Pipeline #${it.id} ${verb} for ${it.ref} | ${place} | ${it.sha.slice(0, 8)}`,
    text: [
      `Pipeline #${it.id} (${project.web_url}/-/pipelines/${it.id}) ${verb}.`,
      [
        `Project: ${place} (${project.web_url})`,
        `${it.tag ? 'Tag' : 'Branch'}: ${it.ref}`,
        `Commit: ${it.sha.slice(0, 8)}${commit ? ` (${commit.url})` : ''}`,
        ...(user ? [`Triggered by: ${user.name}`] : []),
      ].join('\n'),
    ].join('\n\n'),
  };
}
