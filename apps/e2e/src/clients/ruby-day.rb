# A day of the Ruby client, which sends forms: nested arrays as `actions[][action]=...`, nil as empty text. Prints facts as JSON.
require 'gitlab'

client = Gitlab.client(endpoint: ARGV[0], private_token: ARGV[1])
name, colleague = ARGV[2], ARGV[3].to_i
facts = {}

group = client.create_group(name, name, description: 'A & B = "C" ü🙂')
project = client.create_project('Engine', namespace_id: group.id, initialize_with_readme: true, tag_list: %w[one two])
id = project.id
facts[:project] = [project.path_with_namespace, project.tag_list]
client.add_team_member(id, colleague, 30)

# Two files and more: each name that comes again begins the next of the array.
actions = [
  { action: 'create', file_path: 'a.txt', content: "a\nb & c" },
  { action: 'create', file_path: 'dir/ü.txt', content: '' },
  { action: 'create', file_path: 'b.bin', content: ['ÿ'].pack('m0'), encoding: 'base64' },
  { action: 'update', file_path: 'README.md', content: '# Engine' },
]
commit = client.create_commit(id, 'topic', 'Several at once', actions, start_branch: 'main')
facts[:diff] = client.commit_diff(id, commit.id).map(&:new_path).sort
facts[:empty] = client.file_contents(id, 'dir/ü.txt', 'topic')
facts[:tree] = client.tree(id, ref: 'topic', recursive: true, per_page: 2).auto_paginate.map(&:path).sort
client.create_file(id, 'c.txt', 'topic', "c\n", 'One more')

label = client.create_label(id, 'bug & co', '#ff0000', priority: 1)
milestone = client.create_milestone(id, 'First', due_date: '2031-01-31')
issue = client.create_issue(id, 'It breaks', labels: 'bug & co,new', milestone_id: milestone.id, assignee_ids: [colleague],
                                            due_date: '2031-01-15', description: "one\r\ntwo")
facts[:issue] = [issue.labels.sort, issue.milestone.title, issue.assignees.map(&:id), issue.due_date]
# nil and empty text take away what may be absent.
issue = client.edit_issue(id, issue.iid, milestone_id: nil, due_date: '', assignee_ids: [''], labels: '')
facts[:cleared] = [issue.labels, issue.milestone, issue.assignees, issue.due_date]
client.create_issue_note(id, issue.iid, 'Said')
client.edit_issue(id, issue.iid, state_event: 'close')
facts[:closed] = client.issues(id, state: 'closed', labels: '').map(&:iid)
facts[:by_iids] = client.issues(id, iids: [issue.iid, 4711]).map(&:iid)
facts[:negated] = client.issues(id, not: { assignee_id: colleague }).map(&:iid)

request = client.create_merge_request(id, 'Several', source_branch: 'topic', target_branch: 'main', assignee_ids: [colleague])
client.create_merge_request_note(id, request.iid, 'Good')
sleep 0.2 until %w[can_be_merged mergeable].include?(client.merge_request(id, request.iid).merge_status)
facts[:merged] = client.accept_merge_request(id, request.iid, should_remove_source_branch: true).state
facts[:branches] = client.branches(id).map(&:name)
tag = client.create_tag(id, 'v1', 'main', 'First')
facts[:tag] = [tag.name, tag.message]
client.protect_branch(id, 'stable/*', push_access_level: 40, merge_access_level: 30)
facts[:protected] = client.protected_branch(id, 'stable/*').push_access_levels.map { |each| each['access_level'] }

schedule = client.create_pipeline_schedule(id, description: 'Nightly', ref: 'main', cron: '0 1 * * *', active: false)
client.create_pipeline_schedule_variable(id, schedule.id, key: 'KEY', value: 'a&b=c')
facts[:schedule] = client.pipeline_schedule(id, schedule.id).variables.map { |each| [each.key, each.value] }
client.create_file(id, '.gitlab-ci.yml', 'main', "job:\n  script: env\n", 'Pipelines')
pipeline = client.create_pipeline(id, 'main', { 'FIRST' => '1', 'SECOND' => 'a=b' })
facts[:pipeline] = [pipeline.ref, pipeline.status]

facts[:description] = [client.edit_project(id, description: 'x').description, client.edit_project(id, description: nil).description]
begin
  client.project(999_999_999)
rescue Gitlab::Error::NotFound => e
  facts[:not_found] = e.response_status
end
begin
  client.create_label(id, '', 'nothing')
rescue Gitlab::Error::BadRequest => e
  facts[:refused] = e.response_status
end
facts[:deleted] = [client.delete_issue(id, issue.iid) && true, client.delete_group(group.id) && true]
puts JSON.generate(facts)
