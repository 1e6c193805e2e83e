"""Files made to be taken away: an upload's tables in another format, or as they came."""
