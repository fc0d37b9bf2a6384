"""A day with a client that openapi-python-client made: prints what it was answered."""

import json
import sys

from moothall_api import AuthenticatedClient
from moothall_api.api.issues import collaboration_issues_create
from moothall_api.api.project_search import project_search
from moothall_api.api.projects import projects_projects_create, projects_projects_get
from moothall_api.models import (
    CollaborationIssuesCreateBody,
    ProjectSearchScope,
    ProjectsProjectsCreateJsonBody,
)

url, token, name = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token)
project = projects_projects_create.sync(client=client, body=ProjectsProjectsCreateJsonBody(name=name))
issue = collaboration_issues_create.sync(
    project.id, client=client, body=CollaborationIssuesCreateBody(title="It breaks", labels=["bug"])
)
found = project_search.sync(
    project.path_with_namespace, client=client, scope=ProjectSearchScope.ISSUES, search="breaks"
)
refused = projects_projects_get.sync(999_999_999, client=client)
print(
    json.dumps(
        {
            "project": {"id": project.id, "path": project.path_with_namespace},
            "issue": {"iid": issue.iid, "labels": issue.labels, "author": issue.author.username},
            "found": [one.title for one in found],
            "refused": refused.to_dict(),
        }
    )
)
