import { type ContextOf, commonErrors, openFile, type ParsedOf, type PresignedUrl } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { projectFiles, siteFiles } from '../pages';
import { isUnseen, type Visit, Visits } from '../visit/visits';
import { type RequestAddress, requestAddressOf, resourceAddressOf } from './resource-address';
import { Routes } from './routes';

const siteRoutes = new Routes(siteFiles);
const projectRoutes = new Routes(projectFiles);

/** Answers the addresses of files. */
@Controller()
export class OpenFile {
  constructor(private readonly visits: Visits) {}

  @Handles(openFile)
  async open(context: ContextOf<typeof openFile>, { path }: ParsedOf<typeof openFile>): Promise<PresignedUrl> {
    const open = fileAt(requestAddressOf(path));
    if (!open) throw commonErrors.notFound();
    const visit = await this.visits.begin(context);
    if (visit.isPasswordDue) throw commonErrors.notFound();
    return open(visit).catch((error: unknown) => {
      throw isUnseen(error) ? commonErrors.notFound() : error;
    });
  }
}

/** @returns undefined unless it is the address of a file */
function fileAt(address: RequestAddress): ((visit: Visit) => Promise<PresignedUrl>) | undefined {
  const site = siteRoutes.find(address.pathname, address);
  if (site) return (visit) => site.entry.open(visit, site.address);
  const resource = resourceAddressOf(address);
  const found = resource && projectRoutes.find(resource.below, address);
  return found && ((visit) => found.entry.open(visit, resource.fullPath, found.address));
}
