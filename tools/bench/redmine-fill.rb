# Fills an empty Redmine with the records of peer-data.mjs, which standard input has as JSON. `rails runner` runs it.
# Prints as JSON the key of the administrator, and the ids of the records that the calls name.
require 'json'

plan = JSON.parse($stdin.read)
Redmine::DefaultData::Loader.load('en')
Setting.rest_api_enabled = '1'
# No call sends mail on either server.
Setting.notified_events = []

ADMIN = User.find_by!(login: 'admin')
ADMIN.update!(must_change_passwd: false, mail_notification: 'none')
User.current = ADMIN
ROLE = Role.givable.first
TRACKER = Tracker.first
PRIORITY = IssuePriority.default || IssuePriority.first
OPEN = TRACKER.default_status
CLOSED = IssueStatus.find_by!(is_closed: true)

def add_user(plan, login)
  user = User.new(firstname: login, lastname: 'Peer', mail: "#{login}@example.com", mail_notification: 'none')
  user.login = login
  user.password = plan['password']
  user.save!
  user
end

def add_issue(project, categories, assignee, planned)
  project.issues.create!(
    author: ADMIN, tracker: TRACKER, priority: PRIORITY, subject: planned['title'], description: planned['description'],
    category: categories.fetch(planned['label']), status: planned['closed'] ? CLOSED : OPEN,
    assigned_to: planned['assigned'] ? assignee : nil
  )
end

def add_notes(id, bodies)
  bodies.each do |body|
    # An object has only one journal.
    issue = Issue.find(id)
    issue.init_journal(ADMIN, body)
    issue.save!
  end
end

def add_page(project, planned)
  wiki = project.wiki || project.create_wiki!(start_page: 'Wiki')
  page = wiki.pages.create!(title: planned['title'], content: WikiContent.new(author: ADMIN, text: planned['content']))
  page.title
end

def add_project(plan, users, name)
  project = Project.new(name: name, identifier: name, description: plan['text'])
  project.is_public = false
  project.enabled_module_names = %w[issue_tracking wiki]
  project.trackers = Tracker.all
  project.save!
  [ADMIN, *users].each { |user| Member.create!(project: project, principal: user, roles: [ROLE]) }
  categories = plan['labels'].to_h { |label| [label, project.issue_categories.create!(name: label)] }
  plan['milestones'].each { |title| project.versions.create!(name: title) }
  issues = plan['issues'].map { |planned| add_issue(project, categories, users.first, planned) }
  add_notes(issues.first.id, plan['notes'])
  plan['pages'].each { |planned| add_page(project, planned) }
  {
    id: project.id, issues: issues.map(&:id), milestone: project.versions.first.id,
    label: categories.fetch(plan['label']).id
  }
end

users = plan['users'].map { |login| add_user(plan, login) }
projects = plan['projects'].map { |name| add_project(plan, users, name) }
puts JSON.generate(key: ADMIN.api_key, tracker: TRACKER.id, user: users.first.id, projects: projects)
