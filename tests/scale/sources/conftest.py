"""Let the tests of this folder import its module `source_frames`."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
