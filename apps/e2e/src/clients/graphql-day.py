"""What python-gitlab's client of GraphQL reads. Prints facts as JSON."""
import json
import sys

import gitlab
from gql.transport.exceptions import TransportQueryError

url, token, path = sys.argv[1:4]
query = """query ($path: ID!) { currentUser { username } project(fullPath: $path) { name } queryComplexity { limit } }"""
with gitlab.GraphQL(url, token=token) as client:
    facts = client.execute(query, variable_values={"path": path})
    try:
        client.execute("{ nothing }")
    except TransportQueryError as error:
        facts["refused"] = error.errors[0]["message"]
print(json.dumps(facts))
