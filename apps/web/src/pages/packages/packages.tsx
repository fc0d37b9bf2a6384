import { listGroupPackages, listProjectPackages, type Package } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { Address, Content, GroupPage, ProjectPage } from '../../page/page';
import { inGroup } from '../../parts/in-group';
import { inProject } from '../../parts/in-project';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { SearchForm, searchOf } from '../../parts/search-form';
import { Day } from '../../parts/time';

/** The packages of a project, the newest first. */
export const projectPackagesPage: ProjectPage = {
  at: '/packages',
  async show(visit, project, address) {
    const { items } = await visit.ask(listProjectPackages, { id: String(project.id), ...askedAt(address) });
    return inProject(visit, project, listed(address, items));
  },
};

/** The packages of the projects of a group. */
export const groupPackagesPage: GroupPage = {
  at: '/packages',
  async show(visit, group, address) {
    const { items } = await visit.ask(listGroupPackages, { id: String(group.id), ...askedAt(address) });
    return inGroup(visit, group, listed(address, items));
  },
};

function askedAt(address: Address) {
  const search = searchOf(address);
  return {
    ...({ order_by: 'created_at', sort: 'desc', page: pageOf(address), per_page: perPage } as const),
    ...(search && { package_name: search }),
  };
}

const listed = (address: Address, packages: readonly Package[]): Content => ({
  title: 'Packages',
  body: (
    <>
      <SearchForm label="Search in names" address={address} />
      {packages.length === 0 ? (
        <p class="dim">No package matches.</p>
      ) : (
        <ul class="list">
          {packages.map((shown) => (
            <li key={shown.id}>
              <PackageItem shown={shown} />
            </li>
          ))}
        </ul>
      )}
      <Paging address={address} shown={packages.length} />
    </>
  ),
});

const PackageItem = ({
  shown: { name, version, package_type, project_path, created_at, _links },
}: {
  shown: Package;
}) => (
  <>
    <p>
      <a href={_links.web_path}>
        <Named>{name}</Named> <Named>{version}</Named>
      </a>
      <span class="tag after">{package_type}</span>
    </p>
    <p class="dim">
      {project_path && <>{project_path}, </>}
      <Day at={created_at} />
    </p>
  </>
);
