"""A day of python-gitlab. Prints facts as JSON."""
import json
import sys

import gitlab

url, token, name = sys.argv[1:4]
client = gitlab.Gitlab(url, private_token=token)
client.auth()
facts = {"user": client.user.username}

group = client.groups.create({"name": name, "path": name})
project = client.projects.create({"name": "Engine", "namespace_id": group.id, "initialize_with_readme": True})
actions = [
    {"action": "create", "file_path": "a.txt", "content": "a\n"},
    {"action": "create", "file_path": "dir/ü.txt", "content": ""},
]
message = {"branch": "topic", "start_branch": "main", "commit_message": "Several at once", "actions": actions}
facts["commit"] = project.commits.create(message).title
tree = project.repository_tree(ref="topic", recursive=True, per_page=1, iterator=True)
facts["tree"] = [entry["path"] for entry in tree]
facts["file"] = project.files.get("a.txt", ref="topic").decode().decode()

issue = project.issues.create({"title": "It breaks", "labels": ["bug", "new"], "due_date": "2031-01-15"})
facts["issue"] = [sorted(issue.labels), issue.due_date]
issue.due_date = None
issue.labels = []
issue.save()
facts["cleared"] = [project.issues.get(issue.iid).labels, project.issues.get(issue.iid).due_date]
issue.notes.create({"body": "Said"})
facts["notes"] = [note.body for note in issue.notes.list(get_all=True) if not note.system]
facts["by_iids"] = [each.iid for each in project.issues.list(iids=[issue.iid, 4711], get_all=True)]

facts["found"] = [
    [each["path"] for each in project.search("blobs", "a.txt", ref="topic")],
    [each["title"] for each in project.search("issues", "breaks")],
    [each["name"] for each in group.search("projects", "engine")],
    [each["path"] for each in client.search("projects", "engine") if each["id"] == project.id],
]

request = project.mergerequests.create({"title": "Several", "source_branch": "topic", "target_branch": "main"})
facts["request"] = [request.state, [commit.title for commit in request.commits()]]
rule = project.protectedbranches.create({"name": "release/*", "push_access_level": 40, "merge_access_level": 30})
facts["protected"] = [rule.name, [level["access_level"] for level in rule.push_access_levels]]
try:
    client.projects.get(999_999_999)
except gitlab.exceptions.GitlabGetError as error:
    facts["not_found"] = [error.response_code, error.error_message]
facts["archive"] = len(project.repository_archive(format="zip")) > 0
group.delete()
print(json.dumps(facts))
