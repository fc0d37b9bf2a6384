/**
 * Creates a release through the API, like the program with this name, which jobs with `release` run as their last step:
 * `release-cli create --tag-name v1 --description "..." --assets-link '{"name":"app","url":"https://..."}'`.
 */
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const list = { type: 'string', multiple: true };
const { values } = parseArgs({
  allowPositionals: true,
  options: {
    name: text,
    description: text,
    'tag-name': text,
    'tag-message': text,
    ref: text,
    'released-at': text,
    milestone: list,
    'assets-link': list,
  },
});
const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_JOB_TOKEN: token, CI_COMMIT_SHA: commit } = process.env;

const release = {
  tag_name: values['tag-name'],
  tag_message: values['tag-message'],
  name: values.name,
  description: values.description,
  ref: values.ref ?? commit,
  released_at: values['released-at'],
  milestones: values.milestone,
  ...(values['assets-link'] && { assets: { links: values['assets-link'].map((link) => JSON.parse(link)) } }),
};
const response = await fetch(`${api}/projects/${project}/releases`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'job-token': token },
  body: JSON.stringify(release),
});
const answer = await response.text();
if (!response.ok) {
  process.stderr.write(`release: ${response.status} ${answer}\n`);
  process.exit(1);
}
process.stdout.write(`release: ${release.tag_name} is there\n`);
