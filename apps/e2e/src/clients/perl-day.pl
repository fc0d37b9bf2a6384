# A day of the Perl client. Prints facts as JSON.
use strict;
use warnings;
use utf8;
use GitLab::API::v4;
use JSON;

my ($url, $token, $name) = @ARGV;
my $client = GitLab::API::v4->new(url => $url, private_token => $token);
my %facts;

# This client returns nothing of it.
$client->create_group({ name => $name, path => $name });
my $group = $client->group($name);
my $project = $client->create_project({ name => 'Engine', namespace_id => $group->{id}, initialize_with_readme => 1 });
my $id = $project->{id};
my $commit = $client->create_commit($id, {
    branch => 'topic', start_branch => 'main', commit_message => 'Several at once',
    actions => [
        { action => 'create', file_path => 'a.txt', content => "a\n" },
        { action => 'create', file_path => 'dir/b.txt', content => '' },
    ],
});
$facts{commit} = $commit->{title};
$facts{tree} = [map { $_->{path} } @{ $client->paginator('tree', $id, { ref => 'topic', recursive => 1, per_page => 1 })->all }];

my $issue = $client->create_issue($id, { title => "It breaks \x{fc}", labels => 'bug', due_date => '2031-01-15' });
$facts{issue} = [$issue->{title}, $issue->{labels}, $issue->{due_date}];
# undef is null in JSON: it takes away what may be absent.
$issue = $client->edit_issue($id, $issue->{iid}, { due_date => undef, labels => '', milestone_id => undef });
$facts{cleared} = [$issue->{labels}, $issue->{due_date}];
$client->create_issue_note($id, $issue->{iid}, { body => 'Said' });
$facts{notes} = [map { $_->{body} } grep { !$_->{system} } @{ $client->issue_notes($id, $issue->{iid}) }];
$facts{issues} = [map { $_->{iid} } @{ $client->issues($id, { 'iids[]' => $issue->{iid} }) }];

my $request = $client->create_merge_request($id, { title => 'Several', source_branch => 'topic', target_branch => 'main' });
$facts{request} = $request->{state};
$facts{missing} = $client->project(999_999_999);
$client->delete_group($group->{id});
binmode STDOUT, ':raw';
print JSON->new->utf8->encode(\%facts);
