import type { SiteCaller } from '../../readers/docs/console/index.ts';
import { ApiError } from '../../runtime/errors/index.ts';
import { lazySite, type Site, type SiteFiles } from '../../runtime/site/index.ts';
import { explainFailure } from '../../tools/explain-failure.ts';
import { keptFiles } from '../../tools/kept-files.ts';

export interface SiteOptions {
  readonly contracts: string;
  readonly hasGraphiql: boolean;
  /** Where the server is reached; asked when the site is made. */
  readonly origin: () => string | undefined;
  /** Whose tokens the site fills in; asked when the site is made. */
  readonly callers: () => readonly SiteCaller[];
}

/** A page of what a server answers, which is recorded once for all of them. */
const RECORDED = 'errors/INTERNAL_ERROR.html';

/** The documentation of a contract folder, made when somebody looks: the compiler is loaded no sooner. */
export function contractSite({ contracts, hasGraphiql, origin, callers }: SiteOptions): Site {
  const make = async (): Promise<SiteFiles> => {
    const { modelContract } = await import('../../compiler/compile-contract.ts');
    const { buildSite } = await import('../../readers/build-site.ts');
    const keep = keptFiles();
    const { model, parity } = await modelContract(contracts, keep);
    if (!model)
      throw new ApiError('SERVICE_UNAVAILABLE', { detail: `${contracts}/ has errors: npm run contract names them.` });
    const { replacedIn } = await import('../../tools/replaced-entries.ts');
    const { answerSamples } = await import('../mock/answer-samples.ts');
    return buildSite({
      model,
      parity,
      contracts,
      replaced: await replacedIn(contracts, model),
      hasGraphiql,
      serveSamples: answerSamples,
      origin: origin(),
      callers: callers(),
      keep,
    });
  };
  return lazySite(() => make().catch(unavailable), RECORDED);
}

/** An installation without optional packages serves the API alone. */
function unavailable(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new ApiError('SERVICE_UNAVAILABLE', { detail: String(explainFailure(error)) });
}
